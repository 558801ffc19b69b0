// Makes what the tests with browsers open: once, however many browsers there are.
import { prepare } from "./reports.mjs";

await prepare();
