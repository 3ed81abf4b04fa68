/** One block of a stream of server-sent events, as the HTML standard reads it. A block of comments alone is none. */
export interface SseBlock {
  /** The place it marks. Absent: the one before it stays. */
  readonly id?: string;
  readonly event?: string;
  /** Absent: there is no event, only an id or a pause to remember. */
  readonly data?: string;
  /** How long to wait before reconnecting. */
  readonly retry_ms?: number;
}

/** An incomplete block is dropped: the server sends it again. */
export async function* readBlocks(lines: AsyncIterable<string>): AsyncGenerator<SseBlock> {
  let block: SseBlock = {};
  for await (const line of lines) {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text !== '') {
      block = withField(block, text);
      continue;
    }
    if (Object.keys(block).length > 0) yield block;
    block = {};
  }
}

function withField(block: SseBlock, line: string): SseBlock {
  const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
  switch (name) {
    case 'id':
      return { ...block, id: value };
    case 'event':
      return { ...block, event: value };
    case 'data':
      return { ...block, data: block.data === undefined ? value : `${block.data}\n${value}` };
    case 'retry':
      return /^\d{1,9}$/.test(value) ? { ...block, retry_ms: Number(value) } : block;
    default:
      return block; // a comment, or a field from the future
  }
}
