// Makes a page of what is in this folder: node build.mjs PAGE.html [PAGE.cpp [ENTRY FUNCTION]]
// ENTRY is the name of its script, style and frame in src; if not given, they are main, style and page.html. PAGE.cpp holds the same page
// as text of the program, in parts that every compiler takes, which FUNCTION returns.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [page, source] = process.argv.slice(2, 4).map((path) => resolve(path));
const [entry, result = "html_template"] = process.argv.slice(4);
const folder = fileURLToPath(new URL(".", import.meta.url));
process.chdir(folder);

const bundle = async (entry) => {
  const built = await build({
    absWorkingDir: folder, entryPoints: [entry], bundle: true, minify: true, write: false, metafile: true,
    format: "iife", target: ["chrome111", "firefox113", "safari16.4"], legalComments: "none", charset: "utf8",
  });
  return { text: built.outputFiles[0].text.trim(), inputs: Object.keys(built.metafile.inputs) };
};

// The licence of every package of which a part is in the page stays with it. node_modules may be a link: then
// paths lead elsewhere, and the last node_modules in them counts.
function licences(inputs) {
  const folders = new Map();
  for (const path of inputs) {
    const found = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
    if (found) folders.set(found[1], found[0]);
    else if (!path.startsWith("src/")) throw new Error(`expected a source of the page or of a package, found ${path}: where is its licence?`);
  }
  return [...folders.keys()].sort().map((name) => {
    const { version, license } = JSON.parse(readFileSync(`${folders.get(name)}package.json`, "utf8"));
    const text = readFileSync(`${folders.get(name)}LICENSE`, "utf8").trim();
    return `${name} ${version} (${license})\n\n${text}`;
  }).join("\n\n----\n\n");
}

const style = await bundle(entry ? `src/${entry}.css` : "src/style.css");
const script = await bundle(entry ? `src/${entry}.ts` : "src/main.ts");
const notice = licences(script.inputs).replaceAll("--", "- -").replaceAll("*/", "* /");
const put = { style: style.text, script: script.text.replaceAll("</script", "<\\/script") };
const html = readFileSync(entry ? `src/${entry}.html` : "page.html", "utf8")
  .replace(/\/\*tunecheck:(style|script)\*\//g, (_, name) => put[name])
  .replace("</html>", () => `<!--\nThis page contains:\n\n${notice}\n-->\n</html>`);
writeFileSync(page, html);

if (source) {
  const bytes = Buffer.from(html);
  const parts = [];
  for (let at = 0; at < bytes.length; at += 8192) {
    const part = [...bytes.subarray(at, at + 8192)].map((byte) =>
      byte === 34 || byte === 92 ? `\\${String.fromCharCode(byte)}` : byte >= 32 && byte < 127 && byte !== 63 ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`);
    parts.push(`    "${part.join("")}",`);
  }
  writeFileSync(source, `// Made by reports/html/build.mjs.
#include "reports/html/html_template.hpp"

namespace tunecheck {
namespace {

const char* const ${result}_parts[] = {
${parts.join("\n")}
};

}  // namespace

std::string ${result}() {
  std::string page;
  for (const char* const part : ${result}_parts)
    page += part;
  return page;
}

}  // namespace tunecheck
`);
}
