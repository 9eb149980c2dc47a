import { AccountFrame } from '#app/(account)/account-frame.tsx';

/** First run: nobody can sign in yet, and only whoever sees the server's output can change that. */
export function FinishSetup() {
  return (
    <AccountFrame
      title="Finish the set-up"
      description="This instance has no owner yet, so nobody can sign in."
      width="wide"
    >
      <ol className="flex list-decimal flex-col gap-4 pl-5 text-sm marker:text-text-muted">
        <li>
          Look at the output of the server, where it was started. It ends with a one-time address like this:
          <code className="mono mt-2 block rounded-md border bg-surface-sunken px-3 py-2 text-xs">
            Finish the set-up here (the address works once): http://…/setup?token=…
          </code>
        </li>
        <li>Open that address in this browser and create your account.</li>
      </ol>
      <p className="mt-5 border-t pt-4 text-sm text-text-muted">
        Is the output gone? Start the server again: it prints a new address, and the old one stops working. Or
        set <code className="mono text-xs">ERRATA_ADMIN_EMAIL</code> and{' '}
        <code className="mono text-xs">ERRATA_ADMIN_PASSWORD</code> before the start, and the account is
        created without this page.
      </p>
    </AccountFrame>
  );
}
