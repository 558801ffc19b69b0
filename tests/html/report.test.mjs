// HTML reports in real browsers. TUNECHECK is the program, CHROMIUM and FIREFOX are the browsers (every test
// runs in each that is named), and TUNECHECK_HTML_OUT is where prepare.mjs has put the reports. If
// TUNECHECK_HTML_SCREENSHOTS names a folder, there are screenshots of all pages in it afterwards; drawing them
// takes a sixth of the tests' CPU time. screenshots.mjs draws the views that people look at.
// One process, and so one browser of each kind, for all of them.
import "./report_views.mjs";
import "./report_watch.mjs";
import "./report_looks.mjs";
