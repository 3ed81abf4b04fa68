/** Where no server listens. Not a port that was free a moment ago: another test may be given that one. */
export const UNUSED_PORT = 2;
export const UNUSED_URL = `http://127.0.0.1:${UNUSED_PORT}`;
