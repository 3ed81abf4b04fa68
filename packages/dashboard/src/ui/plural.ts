/** `1 node`, `2,048 nodes`. */
export function plural(count: number, one: string, more = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : more}`;
}
