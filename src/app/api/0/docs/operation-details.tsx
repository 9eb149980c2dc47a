import type { OpenApiOperation } from '../openapi/build-document.ts';
import { fieldsOfAnswer, fieldsOfBody } from './read-fields.ts';

type Props = { path: string; method: string; operation: OpenApiOperation };

/** One operation: its address, and what it takes and answers when it is opened. */
export function OperationDetails({ path, method, operation }: Props) {
  const scopes = operation.security.map(({ token }) => token.join(' and '));
  const body = fieldsOfBody(operation);
  const answer = fieldsOfAnswer(operation);
  const queries = operation.parameters.filter((parameter) => parameter.in === 'query');
  return (
    <details id={operation.operationId} className="text-sm">
      <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2.5 hover:bg-surface-hover">
        <span className="mono w-14 shrink-0 font-semibold text-xs uppercase">{method}</span>
        <code className="mono break-anything min-w-0 flex-1 basis-60 text-xs">{path}</code>
        <span className="basis-full text-text-muted sm:pl-17">{operation.summary}</span>
      </summary>
      <dl className="grid gap-x-4 gap-y-3 border-t px-4 py-3 sm:grid-cols-[8rem_minmax(0,1fr)]">
        <Fact name="Scopes">{scopes.join(' or ') || 'any token'}</Fact>
        {queries.length === 0 ? null : (
          <Fact name="Parameters">
            <Fields
              fields={queries.map(({ name, description }) => ({ name, type: description, isRequired: true }))}
            />
          </Fact>
        )}
        {body === null ? null : (
          <Fact name="Body">{typeof body === 'string' ? body : <Fields fields={body} />}</Fact>
        )}
        <Fact name="Response">
          {answer.statuses}
          {answer.holds === null ? ', no content' : null}
          {answer.holds === null ? null : <p className="text-text-muted">{answer.holds}</p>}
        </Fact>
      </dl>
    </details>
  );
}

function Fields({ fields }: { fields: readonly { name: string; type: string; isRequired: boolean }[] }) {
  return (
    <ul className="space-y-1">
      {fields.map(({ name, type, isRequired }) => (
        <li key={name}>
          <code className="mono text-xs">{name}</code>{' '}
          <span className="text-text-muted">{isRequired ? type : `${type}, optional`}</span>
        </li>
      ))}
    </ul>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="sm:contents">
      <dt className="text-text-muted">{name}</dt>
      <dd className="break-anything min-w-0">{children}</dd>
    </div>
  );
}
