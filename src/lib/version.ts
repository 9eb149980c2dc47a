/** Of this release; the same as in package.json. */
export const VERSION = '1.0.0-rc.1';
/** The release before, which may be started again after an upgrade where the migrations allow it: see RELEASING.md. */
export const VERSION_BEFORE = '0.1.0';
