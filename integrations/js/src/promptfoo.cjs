'use strict';
// `file://node_modules/bleuprint/dist/promptfoo.cjs` as the value of an assertion of type `javascript`.
const {createAssertions} = require('./assertion.cjs');
const {metric} = require('./node.cjs');

const {assertion, assertionOf} = createAssertions(metric);
module.exports = assertion;
Object.assign(module.exports, {assertion, assertionOf, default: assertion});
