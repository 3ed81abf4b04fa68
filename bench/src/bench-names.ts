/** Names of a mesh of a size, the same for every server. */
export function* benchNames(count: number) {
  for (let index = 0; index < count; index++) {
    const address = `100.${64 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
    yield { name: `node-${index}`, address, address6: `fd64::${(index + 1).toString(16)}` };
  }
}
