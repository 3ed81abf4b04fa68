/** What the events of node's test runner carry in Node 24, and `@types/node` 24 does not say yet. */
import 'node:test';

declare module 'node:test' {
  namespace EventData {
    interface LocationInfo {
      /** The test file that was run, which may import its tests from another. Absent: the event is about the file itself. */
      readonly entryFile?: string | undefined;
    }
  }
}
