/** Authorities outside of the mesh that issue certificates for ingresses by ACME. The key that binds an account is read from a file or standard input. */
import { KNOWN_AUTHORITIES, type OutsideAuthority } from '@meshwork/contract';
import { noun } from '../../derived/noun.ts';
import { Failure } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { SOURCE_HELP, textOf } from '../../read-source.ts';
import { scopeText } from '../../rights-text.ts';
import { fields } from '../../table.ts';
import { when } from '../../when.ts';
import type { AnyClient } from '../../words/command-words.ts';

const KNOWN = Object.entries(KNOWN_AUTHORITIES);
const NAMES = KNOWN.map(([name]) => name).join(', ');

const COMMON = {
  staging_directory: {
    flag: 'staging',
    value: 'url',
    read: directoryOf,
    help: 'address of a directory where the first order for each host name is tried before it counts; with an authority that is known by name, its own',
    off_help: 'orders are made at once where they count',
  },
  contacts: { flag: 'contact', value: 'mail', help: 'where the authority reaches you, all addresses' },
  challenge: {
    help: 'how gateways show that they speak for a host name: over plain HTTP at port 80 (http-01, as by default), or in a TLS handshake at port 443 (tls-alpn-01)',
  },
  roots: {
    find: textOf,
    value: 'file',
    help: `roots that its web server is checked against, in PEM, as for an authority of the company: ${SOURCE_HELP}`,
    off_help: 'those that browsers know',
  },
  eab_key_id: { value: 'name', help: 'name of the key for external account binding, where the authority gives one' },
  eab_key: { find: eabKeyIn, value: 'file', help: `that key, in base64url: ${SOURCE_HELP}` },
} as const;

/** By the names that people know. */
function directoryOf(text: string): string {
  const known = KNOWN.find(([name]) => name === text)?.[1];
  if (known !== undefined) return known.directory;
  if (text.includes('://')) return text;
  throw new Failure(`"${text}" is neither an address nor one of ${NAMES}`, { exit: 'usage', code: 'usage' });
}

/** A key on the command line would be in the process list and in the history of the shell; at least it is not repeated. */
async function eabKeyIn(client: AnyClient, file: string): Promise<string> {
  const text = await textOf(client, file).catch(() => {
    const message =
      '--eab-key takes the name of a file that can be read, or - for standard input, and not the key itself';
    throw new Failure(message, { exit: 'usage', code: 'usage' });
  });
  return text.trim();
}

interface NewAuthority {
  readonly directory?: string;
  readonly staging_directory?: string | null;
  readonly agree_terms?: boolean;
}

/** What an authority that is known by name has beside its directory. */
function withStaging(body: NewAuthority): NewAuthority {
  const staging_directory = KNOWN.find(([, { directory }]) => directory === body.directory)?.[1].staging_directory;
  return body.staging_directory !== undefined || staging_directory == null ? body : { ...body, staging_directory };
}

export const authority = noun({
  noun: 'authority',
  under: 'ingress',
  areas: ['outside_authorities'],
  thing: 'authority',
  description: 'Authorities that issue certificates for ingresses by ACME, such as Let’s Encrypt.',
  watches: ['outside_authority', 'certificate_order'],
  records: { OutsideAuthority: authorityText },
  commands: {
    'outside_authorities.create': {
      description:
        'Name an authority that issues certificates by ACME. An account is made with it at once. Ingresses whose scope it covers get their certificates from it once they name it (--certificate of `mesh ingress set`).',
      help: `Known by name: ${NAMES}. Others by the address of their directory:
  mesh ingress authority create letsencrypt --directory letsencrypt --contact ops@example.net --agree-terms
  mesh ingress authority create company --directory https://ca.example.net/acme/directory --roots company.pem --agree-terms`,
      parameters: {
        ...COMMON,
        name: { help: 'what people will call it' },
        directory: {
          value: 'which',
          read: directoryOf,
          help: `the address of its ACME directory, or the name of one that is known: ${NAMES}`,
        },
        agree_terms: { help: 'you agree to the terms of the authority; its record says where they are' },
        'scope.team': { help: 'the team it is for; by default the scope of the token' },
        'scope.surface': { help: 'the surface it is for' },
        'scope.environment': { help: 'the environment it is for' },
      },
      run: async ({ request, send, show }) => {
        const body = request.body as NewAuthority;
        if (body.agree_terms !== true) {
          const message = '--agree-terms is missing: no authority issues certificates unless you agree to its terms';
          throw new Failure(message, { exit: 'usage', code: 'usage' });
        }
        request.body = withStaging(body);
        await show(await send());
      },
    },
    'outside_authorities.list': {
      columns: [
        ['ID', ({ id }) => id],
        ['NAME', ({ name }) => name],
        ['ACCOUNT', accountWord],
        ['DIRECTORY', ({ directory }) => directory],
        ['CERTIFICATES', ({ certificates, orders }) => `${certificates} of ${orders}`],
        ['PROBLEM', (one) => problemOf(one) ?? '-'],
      ],
    },
    'outside_authorities.update': {
      description:
        'Change an authority: only what is named. Its directory stays, as its account is there. An account that could not be made is tried again at once.',
      parameters: { ...COMMON, agree_terms: { help: 'you agree to its terms as they are now, after it changed them' } },
    },
    'outside_authorities.delete': {
      summary: 'Remove an authority with its accounts',
      confirm: {
        ask: ({ session, request: { params } }) => ({
          what: `removing authority ${params.id}`,
          describe: async () => {
            const { body } = await session.client.call('outside_authorities.show', { params: { id: params.id ?? '' } });
            return body.orders === 0
              ? `${body.name} goes, and its accounts are deactivated. No ingress needs it.`
              : `${body.orders} host names still get their certificates from ${body.name}: it is refused until their ingresses have another certificate.`;
          },
        }),
      },
    },
  },
});

function accountWord({ account }: OutsideAuthority): string {
  return account.state === 'none' ? 'not made yet' : account.state;
}

function problemOf({ account, staging_account }: OutsideAuthority): string | null {
  return account.problem ?? staging_account?.problem ?? null;
}

function authorityText(authority: OutsideAuthority, _: Pick<Output, 'strong'>): string {
  const { account, staging_account, staging_directory, contacts, paused_until, eab_key_id } = authority;
  return fields([
    ['id', authority.id],
    ['name', authority.name],
    ['directory', authority.directory],
    ...accountFields('account', account),
    ['staging', staging_directory ?? 'none: orders are made at once where they count'],
    ...(staging_account === null ? [] : accountFields('staging account', staging_account)),
    ['contacts', contacts.join(', ') || 'none'],
    ['challenge', authority.challenge],
    ['roots', authority.roots === null ? 'those that browsers know' : 'its own'],
    ...(eab_key_id === null ? [] : [['bound by key', eab_key_id] as const]),
    ['terms', authority.terms ?? 'not known yet'],
    ['agreed', when(authority.terms_agreed_at)],
    ...(paused_until === null ? [] : [['paused until', `${when(paused_until)}, as it wants fewer requests`] as const]),
    ['certificates', `${authority.certificates} of ${authority.orders} host names`],
    ['scope', scopeText(authority.scope)],
    ['created', `${when(authority.created_at)} by ${authority.created_by.name}`],
  ]);
}

function accountFields(name: string, account: OutsideAuthority['account']): (readonly [string, string])[] {
  const { state, url, created_at, problem } = account;
  const made = created_at === null ? '' : `, made ${when(created_at)}`;
  return [
    [name, state === 'none' ? 'not made yet' : `${state}${made}`],
    ...(url === null ? [] : [[`${name} is`, url] as const]),
    ...(problem === null ? [] : [['problem', problem] as const]),
  ];
}
