/** Whether a kind of isolation works on this machine, and what was found on the way; if not, why and what to do. */
export type IsolationHealth<Found = object> =
  | ({ readonly ok: true; readonly detail: string } & Found)
  | { readonly ok: false; readonly detail: string; readonly fix: string };
