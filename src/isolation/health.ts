/** Whether a kind of isolation works on this machine; if not, why and what to do. */
export type IsolationHealth<Found = object> =
  | ({ readonly ok: true; readonly detail: string } & Found)
  | { readonly ok: false; readonly detail: string; readonly fix: string };
