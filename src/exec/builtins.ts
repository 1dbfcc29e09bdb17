import childProcess from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { KnownError } from '../domain/common/known-error.js';

/**
 * Scenario files run in our process. One that replaces a built-in function, say `String.prototype.includes`, changes what
 * checks find and which processes we end. So whatever it replaced is put back before we go on, and it is an error.
 *
 * This stops accidents, such as a mock that nobody restored. It is no defense against a program that wants to deceive us:
 * it runs with all our rights.
 */

const { defineProperty, deleteProperty, get, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const { is } = Object;

/** The descriptor of a property at the start. */
interface Original {
  readonly owner: object;
  readonly name: string;
  readonly key: string | symbol;
  readonly descriptor: PropertyDescriptor;
}

const GLOBALS = [
  ...['Object', 'Function', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'Date', 'RegExp'],
  ...[
    'Map',
    'Set',
    'WeakMap',
    'WeakSet',
    'Promise',
    'Proxy',
    'Reflect',
    'JSON',
    'Math',
    'Error',
    'TypeError',
  ],
  ...['Uint8Array', 'ArrayBuffer', 'Buffer', 'URL', 'AbortController', 'AbortSignal', 'TextDecoder'],
];
/** Libraries wrap these for reasons of their own, and no verdict depends on them. */
const LEFT_ALONE = new Set<string | symbol>(['close', 'closeSync', 'stackTraceLimit', 'prepareStackTrace']);

const originals = takeOriginals();
const rootKeys = ownKeys(Object.prototype);

/** Puts back every built-in that was replaced, and throws an error that names the first one. */
export function requireBuiltins(who: string): void {
  let first: string | null = null;
  // Only syntax and what was taken at the start: any method may be the one that was replaced.
  for (let index = 0; index < originals.length; index += 1) {
    const original = originals[index];
    if (original === undefined || isIntact(original)) continue;
    defineProperty(original.owner, original.key, original.descriptor);
    first ??= original.name;
  }
  first ??= removeAdditions();
  if (first === null) return;
  throw new KnownError(`${who} replaced ${first}, which ralph-e2e and its checks use.`, {
    hint: 'Leave built-in objects as they are, or restore them before the scenario returns.',
  });
}

function isIntact({ owner, key, descriptor }: Original): boolean {
  // The usual case, without a new descriptor for each of a thousand functions.
  if (descriptor.get === undefined && get(owner, key) === descriptor.value) return true;
  const now = getOwnPropertyDescriptor(owner, key);
  return (
    now !== undefined &&
    is(now.value, descriptor.value) &&
    now.get === descriptor.get &&
    now.set === descriptor.set
  );
}

/** Every object inherits what is added here, so a missing field would have a value. */
function removeAdditions(): string | null {
  const keys = ownKeys(Object.prototype);
  if (keys.length === rootKeys.length) return null;
  let found: string | null = null;
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index];
    if (key === undefined || isRootKey(key)) continue;
    deleteProperty(Object.prototype, key);
    found ??= typeof key === 'string' ? `Object.prototype.${key}` : 'Object.prototype';
  }
  return found;
}

function isRootKey(key: string | symbol): boolean {
  for (let index = 0; index < rootKeys.length; index += 1) if (rootKeys[index] === key) return true;
  return false;
}

function takeOriginals(): readonly Original[] {
  const taken: Original[] = [];
  const seen = new Set<object>();
  const take = (owner: unknown, name: string, only?: readonly string[]): void => {
    if ((typeof owner !== 'object' && typeof owner !== 'function') || owner === null || seen.has(owner))
      return;
    seen.add(owner);
    for (const key of only ?? ownKeys(owner)) {
      const descriptor = getOwnPropertyDescriptor(owner, key);
      // What cannot be configured or written cannot be replaced.
      if (descriptor === undefined || LEFT_ALONE.has(key)) continue;
      if (descriptor.configurable !== true && descriptor.writable !== true) continue;
      if (!isFunctional(descriptor)) continue;
      taken.push({ owner, key, name: `${name}.${String(key)}`, descriptor });
    }
  };
  // Node defines some globals when they are first used, so use them before their descriptors are taken.
  const values = GLOBALS.map((name): unknown => Reflect.get(globalThis, name));
  take(globalThis, 'globalThis', GLOBALS);
  for (const [index, name] of GLOBALS.entries()) {
    const value = values[index];
    take(value, name);
    if (typeof value === 'function') take(Reflect.get(value, 'prototype'), `${name}.prototype`);
  }
  for (const [name, iterable] of [
    ['Array', []],
    ['Map', new Map()],
    ['Set', new Set()],
    ['String', ''],
  ] as const)
    take(getPrototypeOf(iterable[Symbol.iterator]()), `${name} Iterator.prototype`);
  for (const [name, module] of Object.entries({
    fs,
    'fs.promises': fs.promises,
    path,
    crypto,
    child_process: childProcess,
  }))
    take(module, name);
  take(process, 'process', ['kill']);
  return taken;
}

/** Whether the property is a function or an accessor: other values, such as counters, may change. */
function isFunctional({ value, get, set }: PropertyDescriptor): boolean {
  return (
    typeof value === 'function' ||
    (typeof value === 'object' && value !== null) ||
    get !== undefined ||
    set !== undefined
  );
}
