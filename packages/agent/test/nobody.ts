/** Where nobody listens. Not a port that was free a moment ago: the next who asks for any may be given that one. */
export const NOBODYS_PORT = 2;
export const NOBODY = `http://127.0.0.1:${NOBODYS_PORT}`;
