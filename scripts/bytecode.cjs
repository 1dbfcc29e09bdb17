// Starts a built program: from the bytecode that the build made, if this Node can read it, and otherwise from source.
// Compiling is most of the cost of a short call, and a run makes hundreds of them.
// The build puts the source of `start` into the launchers, and runs this file to make the bytecode:
//   node scripts/bytecode.cjs <program> <kind of call> <its file that the bytecode is of> <arguments of such a call>
const fs = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');

/**
 * `kind` chooses the bytecode: that of a list is read faster than that of a run. Functions that the bytecode does not have
 * are compiled when they are called. A program may have several files: one loads another with `require('part:<name>')`.
 */
function start(file, kind = 'usual', parts = new Map()) {
  const { readFileSync, statSync } = require('node:fs');
  const { Script } = require('node:vm');
  const text = readFileSync(file, 'latin1');
  // The first line names the source, and the bytecode has the same name: V8 identifies a source only by its length, and
  // a build may replace dist between two reads. (V8 rejects bytecode that was made with other flags.)
  const [, name] = /^\/\/(\w+)\n/.exec(text) ?? [];
  const bytecode = `${file}.${name}.${kind}.${process.versions.v8}-${process.arch}.bytecode`;
  let cachedData;
  try {
    // An edited source still has its old name.
    if (statSync(bytecode).mtimeMs >= statSync(file).mtimeMs) cachedData = readFileSync(bytecode);
  } catch {
    // There is no bytecode for this source and this Node: run the source.
  }
  const wrapped = `(function (exports, require, module, __filename) {${text}\n})`;
  const script = new Script(wrapped, { filename: file, cachedData });
  const module = { exports: {} };
  // Test runners with their own contexts (vm) get their own library, so that `instanceof Error` works there.
  const isMain = new Script('Object').runInThisContext() === Object;
  const run = isMain ? script.runInThisContext() : Function(`return ${wrapped}`)();
  const load = createRequire(file);
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  parts.set(file, { script, bytecode, module });
  const requirePart = (name) => {
    if (!name.startsWith('part:')) return load(name);
    const part = folder + name.slice('part:'.length);
    return parts.get(part)?.module.exports ?? start(part, 'usual', parts).exports;
  };
  run(module.exports, Object.assign(requirePart, load), module, file);
  return { script, bytecode, parts, exports: module.exports };
}

module.exports = { start };

if (require.main === module) {
  const [file, kind, wanted, ...argv] = process.argv.slice(2);
  process.argv.splice(1, Infinity, file, ...argv);
  const { parts, exports } = start(file, kind);
  process.once('exit', () => {
    const part = join(dirname(file), wanted);
    const { script, bytecode } = parts.get(part) ?? start(part, kind, parts);
    // Rename in one step, so that nobody reads a half-written file.
    fs.writeFileSync(`${bytecode}.part`, script.createCachedData());
    fs.renameSync(`${bytecode}.part`, bytecode);
  });
  exports.runProgram?.(argv);
}
