import { journalContract } from '../../test/journal-contract.ts';
import { type PostgresServer, startPostgresServer } from '../../test/postgres-server.ts';

let server: PostgresServer | undefined;
let address = '';
let schemas = 0;

journalContract('PostgreSQL', {
  async setUp() {
    server = await startPostgresServer();
    address = await server.newDatabase();
  },
  async tearDown() {
    await server?.close();
  },
  async newPlace() {
    schemas += 1;
    return { address, options: { postgres: { schema: `mesh_${schemas}` } } };
  },
});
