// How a built program is started: from the bytecode that the build made of it, where this Node can read it, and
// otherwise from its text. Compiling is most of what a short call costs, and a run makes hundreds of them.
// The build puts the text of `start` into the launchers, and runs this file to make the bytecode:
//   node scripts/bytecode.cjs <program> <arguments for a call that runs through what most calls need>
const fs = require('node:fs');

function start(file) {
  const { readFileSync, statSync } = require('node:fs');
  const { Script } = require('node:vm');
  const text = readFileSync(file, 'latin1');
  // The first line names the text, and bytecode is named after it: V8 itself knows a text by its length only, and a
  // build may put another dist in place between two reads. (V8 refuses what was made with other flags.)
  const [, name] = /^\/\/(\w+)\n/.exec(text) ?? [];
  const bytecode = `${file}.${name}.${process.versions.v8}-${process.arch}.bytecode`;
  let cachedData;
  try {
    // A text that somebody edited still has its old name.
    if (statSync(bytecode).mtimeMs >= statSync(file).mtimeMs) cachedData = readFileSync(bytecode);
  } catch {
    // None for this text and this Node: the text is all that is needed.
  }
  const wrapped = `(function (exports, require, module, __filename) {${text}\n})`;
  const script = new Script(wrapped, { filename: file, cachedData });
  const module = { exports: {} };
  // Test runners with contexts of their own (vm) get a library of their own: its errors are to be theirs.
  const isMain = new Script('Object').runInThisContext() === Object;
  const run = isMain ? script.runInThisContext() : Function(`return ${wrapped}`)();
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
