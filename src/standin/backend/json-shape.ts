import { isRecord } from '../record.js';

/** Whether a JSON value has the form that the real Ralph reads; undefined stands for a field that is missing. */
export type Shape = (value: unknown) => boolean;

export const anything: Shape = (value) => value !== undefined;
export const text: Shape = (value) => typeof value === 'string';
export const flag: Shape = (value) => typeof value === 'boolean';
export const decimal: Shape = (value) => typeof value === 'number';
export const count: Shape = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0;

export const optional =
  (of: Shape): Shape =>
  (value) =>
    value === undefined || value === null || of(value);

export const list =
  (of: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(of);

/** Further fields do no harm. */
export const object =
  (fields: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    isRecord(value) && Object.entries(fields).every(([name, of]) => of(value[name]));

/** An object whose `type` says which other fields it has. */
export const tagged =
  (kinds: Readonly<Record<string, Shape>>, other: Shape = () => false): Shape =>
  (value) =>
    isRecord(value) && typeof value.type === 'string' && (kinds[value.type] ?? other)(value);
