/**
 * The address of a coordinator: http or https, perhaps with a path that a proxy puts in front. Credentials in it are
 * refused, and never repeated: addresses end up in logs and error messages.
 */
export function parseBaseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new TypeError(`the URL is not valid; it should look like http://127.0.0.1:7400`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('the URL must not contain credentials; give the token separately');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`the URL must start with http:// or https://, not ${url.protocol}`);
  }
  if (url.search !== '' || url.hash !== '') throw new TypeError('the URL must have no query and no fragment');
  return url;
}

/** Where an operation is, below the base. */
export function below(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${path}`;
  return url;
}
