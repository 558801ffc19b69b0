// The licences of what is in the page are in it, wherever node_modules lies.
import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";

const own = resolve(import.meta.dirname ?? ".", "../../reports/html");

test("a page that is made with linked packages has their licences", () => {
  const folder = mkdtempSync(join(tmpdir(), "tunecheck-page-"));
  try {
    for (const name of ["build.mjs", "page.html", "package.json", "src", "tsconfig.json"]) cpSync(join(own, name), join(folder, name), { recursive: true });
    symlinkSync(join(own, "node_modules"), join(folder, "node_modules"));
    execFileSync(process.execPath, [join(folder, "build.mjs"), join(folder, "linked.html")]);
    execFileSync(process.execPath, [join(own, "build.mjs"), join(folder, "page-of-own.html")]);
    const page = readFileSync(join(folder, "linked.html"), "utf8");
    const notice = page.slice(page.indexOf("This page contains:"));
    assert.match(notice, /Permission|Licen[sc]e/);
    assert.strictEqual(page, readFileSync(join(folder, "page-of-own.html"), "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
