/** Where nobody listens. Not a port that was free a moment ago: the next who asks for any may be given that one. */
export const NOBODY = 'http://127.0.0.1:2';
