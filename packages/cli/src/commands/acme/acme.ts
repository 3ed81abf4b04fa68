/** ACME: what clients such as certbot are configured with, and their accounts. */
import type { AcmeAccount, AnswerOf, Operations } from '@meshwork/contract';
import { noun } from '../../derived/noun.ts';
import { fields } from '../../table.ts';
import { printable } from '../../terminal-text.ts';
import { when } from '../../when.ts';
import type { Running } from '../../words/command-words.ts';

const ACCOUNT = { flag: 'account', id_of: 'account' } as const;

export const acme = noun({
  noun: 'acme',
  areas: ['acme'],
  thing: 'account',
  watches: ['account'],
  records: { AcmeAccount: accountFields },
  commands: {
    'acme.bind': {
      summary: 'Show what an ACME client is configured with, to act as your token',
      help: 'The key is a secret: who has it gets certificates for the nodes in the scope of the token.',
      run: printBinding,
    },
    'acme.accounts': {
      verb: 'list',
      columns: [
        ['ID', ({ id }) => id],
        ['STATE', stateOf],
        ['TOKEN', ({ token }) => printable(token.name)],
        ['CONTACTS', ({ contacts }) => contacts.map(printable).join(', ')],
        ['CREATED', ({ created_at }) => created_at],
      ],
    },
    'acme.deactivate': {
      parameters: { id: ACCOUNT },
      confirm: {
        ask: ({ given }) => ({
          what: `deactivating account ${given}`,
          describe: () => `The client of account ${given} can renew nothing any more. Its certificates stay valid.`,
        }),
      },
    },
  },
});

type Binding = AnswerOf<Operations['acme.bind']>;

/** The API answers with a path: only the caller knows by which address the coordinator is reached. */
async function printBinding({ send, out, session }: Running<Binding>): Promise<void> {
  const binding = await send();
  await out.result(binding, () =>
    fields([
      ['directory', `${session.url.replace(/\/+$/, '')}${binding.directory}`],
      ['key id', binding.key_id],
      ['key', binding.key],
    ]),
  );
}

function accountFields(account: AcmeAccount): string {
  return fields([
    ['id', account.id],
    ['state', stateOf(account)],
    ['token', `${printable(account.token.name)} (${account.token.id})`],
    ['contacts', account.contacts.map(printable).join(', ')],
    ['thumbprint', account.thumbprint],
    ['created', when(account.created_at)],
  ]);
}

function stateOf({ state, works }: AcmeAccount): string {
  return state === 'valid' && !works ? 'valid, but its token does not work' : state;
}
