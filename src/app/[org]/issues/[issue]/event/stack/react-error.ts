/** What a production build of React says by a number only. */
export type ReactError = {
  code: number;
  /** What it means; null for numbers that are rare. */
  meaning: string | null;
  /** React's own page with the whole message, the arguments filled in. */
  href: string;
};

const MINIFIED =
  /^Minified React error #(\d{1,4}); visit (https:\/\/(?:react\.dev\/errors\/|reactjs\.org\/docs\/error-decoder\.html\?)\S{0,2000})/;

/**
 * The numbers that applications meet, in short.
 * Source of the numbers: https://github.com/facebook/react/blob/main/scripts/error-codes/codes.json
 */
const MEANINGS: Readonly<Record<number, string>> = {
  31: 'A plain object was rendered as a child: render its fields, or an array.',
  130: 'A component is undefined or not a component: check how it is imported and exported.',
  137: 'An element that must be empty, such as <img> or <input>, was given children.',
  143: 'React.Children.only was given several children, or none.',
  152: 'A component returned nothing: a return statement is missing.',
  185: 'Updates never ended: a component sets its state in every render or effect.',
  200: 'The container to render into is not a DOM element: it is missing from the page.',
  284: 'A ref is neither a function nor made by createRef.',
  299: 'The container to render into is not a DOM element: it is missing from the page.',
  300: 'A component used fewer hooks than in its last render: it returned before some of them.',
  301: 'Renders never ended: a component sets its state while it renders.',
  306: 'A lazy component did not resolve to a component: check its default export.',
  310: 'A component used more hooks than in its last render: a hook is behind a condition.',
  311: 'A component used other hooks than in its last render: a hook is behind a condition.',
  321: 'A hook was used outside of a function component, or the page has two copies of React.',
  322: 'forwardRef was given something other than a function.',
  327: 'React was asked to render while it was rendering.',
  405: 'The container to hydrate is not a DOM element: it is missing from the page.',
  407: 'useSyncExternalStore has no snapshot for the server.',
  409: 'A root was updated after it was unmounted.',
  418: 'The HTML from the server differs from what the client rendered, so it was rendered again on the client.',
  419: 'The server failed to render a Suspense boundary, so it was rendered on the client.',
  421: 'A Suspense boundary was updated before it was hydrated, so it was rendered on the client.',
  422: 'Hydration failed, and the nearest Suspense boundary was rendered on the client.',
  423: 'Hydration failed, and the whole page was rendered on the client.',
  424: 'The page was updated before it was hydrated, so all of it was rendered on the client.',
  425: 'A text from the server differs from what the client rendered.',
  426: 'A component suspended during an update that cannot wait: wrap the update in startTransition.',
  438: 'use() was given something that it does not support.',
  441: 'A server component failed. Its message stays on the server: look for the error there, by its digest.',
  482: 'A client component is async, which only server components can be.',
  483: 'An async component uses hooks: it is a client component by accident.',
  498: 'A server component passed an object with a class or without a prototype to a client component.',
  504: 'The server runs a development build of React, and the client one for production.',
  520: 'Rendering failed, and React recovered by rendering everything again.',
  525: 'An element was made by another version of React: the page has two copies.',
  527: 'react and react-dom have different versions.',
};

/** null for any other message. */
export function readReactError(message: string): ReactError | null {
  const match = MINIFIED.exec(message);
  const address = match?.[2] ? URL.parse(match[2]) : null;
  if (!match || !address) return null;
  const code = Number(match[1]);
  const href = new URL(`https://react.dev/errors/${code}`);
  for (const argument of address.searchParams.getAll('args[]')) href.searchParams.append('args[]', argument);
  return { code, meaning: MEANINGS[code] ?? null, href: href.href };
}
