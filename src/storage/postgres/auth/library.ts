import type { ConnectionPool } from '#storage/sql/connections.ts';
import { createAuthOptions } from './options.ts';
import { createAuthPlugins } from './plugins.ts';

export type AuthLibrarySettings = {
  pool: ConnectionPool;
  secret: string;
  publicUrl: string;
  sessionAgeMsMax: number;
};

/** better-auth with its plugins, loaded when it is first used. */
export type AuthLibrary = () => ReturnType<typeof load>;

/** The library takes a third of the memory of a small process, and not every process that could sign in does. */
export function createAuthLibrary(settings: AuthLibrarySettings): AuthLibrary {
  let loading: ReturnType<typeof load> | null = null;
  return () => {
    loading ??= load(settings);
    return loading;
  };
}

async function load(settings: AuthLibrarySettings) {
  const [{ betterAuth }, { runWithTransaction }, options] = await Promise.all([
    import('better-auth'),
    import('@better-auth/core/context'),
    loadAuthOptions(settings),
  ]);
  const auth = betterAuth(options);
  const context = await auth.$context;
  const inTransaction = async <T>(work: () => Promise<T>) => runWithTransaction(context.adapter, work);
  return { auth, context, inTransaction };
}

/** What the library is configured with. */
export async function loadAuthOptions(settings: AuthLibrarySettings) {
  const [{ createAuthEndpoint }, { setSessionCookie }, { twoFactor }, { passkey }] = await Promise.all([
    import('@better-auth/core/api'),
    import('better-auth/cookies'),
    import('better-auth/plugins/two-factor'),
    import('@better-auth/passkey'),
  ]);
  const plugins = createAuthPlugins(
    { createAuthEndpoint, setSessionCookie, twoFactor, passkey },
    settings.publicUrl,
  );
  return createAuthOptions(settings, plugins);
}

/** An answer of 400, 401 or 403: what was sent is wrong, whatever is wrong about it. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  return error.statusCode === 400 || error.statusCode === 401 || error.statusCode === 403;
}
