// How a built program is started: from the bytecode that the build made of it, where this Node can read it, and
// otherwise from its text. Compiling is most of what a short call costs, and a run makes hundreds of them.
// The build puts the text of `start` into the launchers, and runs this file to make the bytecode:
//   node scripts/bytecode.cjs <program> <arguments for a call that runs through what most calls need>
const fs = require('node:fs');

function start(file) {
  const { readFileSync, statSync } = require('node:fs');
  const { Script } = require('node:vm');
  // A Node with another V8 does not find it. (V8 itself refuses what was made with other flags.)
  const bytecode = `${file}.${process.versions.v8}-${process.arch}.bytecode`;
  let cachedData;
  try {
    // V8 knows a text by its length: what was changed since would run as it was.
    if (statSync(bytecode).mtimeMs >= statSync(file).mtimeMs) cachedData = readFileSync(bytecode);
  } catch {
    // None for this Node: the text is all that is needed.
  }
  const text = `(function (exports, require, module, __filename) {${readFileSync(file, 'latin1')}\n})`;
  const script = new Script(text, { filename: file, cachedData });
  const module = { exports: {} };
  // Test runners with contexts of their own (vm) get a library of their own: its errors are to be theirs.
  const isMain = new Script('Object').runInThisContext() === Object;
  const run = isMain ? script.runInThisContext() : Function(`return ${text}`)();
  run(module.exports, require('node:module').createRequire(file), module, file);
  return { script, bytecode, exports: module.exports };
}

module.exports = { start };

if (require.main === module) {
  const [file, ...argv] = process.argv.slice(2);
  process.argv.splice(1, Infinity, file, ...argv);
  const { script, bytecode, exports } = start(file);
  process.once('exit', () => {
    // In one step: half of it would be taken for the whole.
    fs.writeFileSync(`${bytecode}.part`, script.createCachedData());
    fs.renameSync(`${bytecode}.part`, bytecode);
  });
  exports.runProgram?.(argv);
}
