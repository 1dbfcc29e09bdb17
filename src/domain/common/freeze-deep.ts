/** Freezes data and everything inside it. */
export function freezeDeep<Data>(data: Data): Data {
  if (typeof data !== 'object' || data === null || Object.isFrozen(data)) return data;
  Object.freeze(data);
  for (const value of Object.values(data)) freezeDeep(value);
  return data;
}
