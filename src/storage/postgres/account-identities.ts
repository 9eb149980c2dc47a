import { randomUUID } from 'node:crypto';
import { conflict } from '#lib/errors.ts';
import type { AccountStore, Identity } from '#storage/ports/accounts.ts';
import { toUser, USER_COLUMNS, type UserRow } from './account-user-row.ts';
import type { ConnectionPool } from './transaction.ts';

const PROVIDER = 'oidc';

type IdentityStore = Pick<
  AccountStore,
  'findUserByIdentity' | 'linkIdentity' | 'unlinkIdentities' | 'hasIdentity'
>;

/** Who a user is at the identity provider, in the table that holds passwords as well. */
export function createIdentityStore(pool: ConnectionPool): IdentityStore {
  return {
    async findUserByIdentity(identity) {
      const { rows } = await pool.query<UserRow>(
        `SELECT ${USER_COLUMNS} FROM accounts JOIN users ON users.id = accounts.user_id
         WHERE provider_id = $1 AND account_id = $2`,
        [PROVIDER, keyOf(identity)],
      );
      return rows[0] ? toUser(rows[0]) : null;
    },

    async linkIdentity(userId, identity) {
      const { rows } = await pool.query<{ user_id: string }>(
        `INSERT INTO accounts (id, account_id, provider_id, user_id, updated_at) VALUES ($1, $2, $3, $4, now())
         ON CONFLICT (provider_id, account_id) DO UPDATE SET updated_at = now()
         RETURNING user_id`,
        [randomUUID(), keyOf(identity), PROVIDER, userId],
      );
      if (rows[0]?.user_id !== userId) {
        throw conflict('This identity opens another account already: disconnect it there first');
      }
    },

    async unlinkIdentities(userId) {
      const { rowCount } = await pool.query('DELETE FROM accounts WHERE user_id = $1 AND provider_id = $2', [
        userId,
        PROVIDER,
      ]);
      return rowCount ?? 0;
    },

    async hasIdentity(userId, issuer) {
      const { rowCount } = await pool.query(
        'SELECT FROM accounts WHERE user_id = $1 AND provider_id = $2 AND starts_with(account_id, $3)',
        [userId, PROVIDER, issuer === undefined ? '' : keyOf({ issuer, subject: '' })],
      );
      return (rowCount ?? 0) > 0;
    },
  };
}

/** Subjects are unique within their issuer only, and an issuer holds no space. */
const keyOf = ({ issuer, subject }: Identity) => `${issuer} ${subject}`;
