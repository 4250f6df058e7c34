/* "I'll do it": the page closes where a browser lets it, and otherwise says that it can be closed (T-13). */
window.close();
