import promptfoo from './promptfoo.cjs';

export const {assertion, assertionOf} = promptfoo;
export default assertion;
