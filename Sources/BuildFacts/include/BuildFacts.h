// What a release knows of its own making. In C, because only there a setting of the build can carry a text: the one
// file is compiled anew for another commit, and nothing else is.
#pragma once

/// The commit of the sources, 40 hexadecimal digits; empty in a build that is no release.
const char *build_commit(void);
