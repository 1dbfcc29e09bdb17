import * as z from 'zod';
import { RuleBuilder } from './agent/builder.js';
import { HATS_PARAMETERS, PARAMETERS, type ParameterSchemas, RULE_PARAMETERS } from './argument-schemas.js';
import { explainValue } from './domain/common/issues.js';
import { isKnownError, KnownError } from './domain/common/known-error.js';
import { requireDefinition } from './domain/scenario/schema.js';
import * as library from './index.js';
import { findPlace } from './run/attempt/blame-scenario.js';

/** Errors that name the author's line already. */
const placed = new WeakSet<Error>();

/** Makes a function refuse wrong arguments by name, and add the author's file and line to what it refuses itself. */
function checked(name: string, call: unknown, parameters: ParameterSchemas): unknown {
  if (typeof call !== 'function') throw new Error(`expected ${name} to be a function`);
  const names = Object.keys(parameters);
  const plain = (parameter: string) => parameter.replace(/^\.+/, '');
  const schema = z.object(Object.fromEntries(names.map((one) => [plain(one), parameters[one] ?? z.never()])));
  return function (this: unknown, ...given: readonly unknown[]): unknown {
    const values = names.map((one, index) => [
      plain(one),
      one.startsWith('.') ? given.slice(index) : given[index],
    ]);
    const passed = Object.fromEntries(values);
    const { error } = schema.safeParse(passed);
    if (error !== undefined) throw place(new KnownError(`${name}: ${explainValue(error.issues, passed)}`));
    try {
      if (name === 'scenario' || name === 'conversation') requireDefinition(given[0]);
      return Reflect.apply(call, this, given);
    } catch (thrown) {
      throw isKnownError(thrown) ? place(thrown) : thrown;
    }
  };
}

/** Adds the author's file and line, once. */
function place(error: KnownError): KnownError {
  const where = placed.has(error) ? null : findPlace(new Error());
  if (where === null) return error;
  const { message, hint } = error;
  const told = new KnownError(`${where}: ${message}`, {
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
  placed.add(told);
  return told;
}

/** Makes methods of an object check their arguments. */
function checkMethods<Owner extends object>(
  owner: Owner,
  methods: Readonly<Record<string, ParameterSchemas>>,
): Owner {
  for (const [name, parameters] of Object.entries(methods))
    Object.defineProperty(owner, name, { value: checked(name, Reflect.get(owner, name), parameters) });
  return owner;
}

checkMethods(RuleBuilder.prototype, RULE_PARAMETERS);
const hats: typeof library.hats = (...given) => checkMethods(library.hats(...given), HATS_PARAMETERS);
const functions = { ...library, hats };

/** The library as authors get it: what scenarios are written with checks its arguments. */
export const checkedLibrary: Readonly<Record<string, unknown>> = {
  ...library,
  ...Object.fromEntries(
    Object.entries(PARAMETERS).map(([name, parameters]) => [
      name,
      checked(name, Reflect.get(functions, name), parameters),
    ]),
  ),
};
