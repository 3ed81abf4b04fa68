/**
 * `node:http` and `node:https`, without what an import of them brings along: importing a module evaluates every name that it
 * exports, and one of these loads the platform's `fetch` and `WebSocket`. That is memory which an agent on a small node never uses.
 */
export const http = process.getBuiltinModule('node:http');
export const https = process.getBuiltinModule('node:https');
