/** Stands in for `next/router` in the browser: all pages belong to the App Router, so nobody subscribes to it. */
export default { events: { on() {} } };
