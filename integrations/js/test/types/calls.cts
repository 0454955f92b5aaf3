import bleuprint = require('bleuprint');

const score: number = bleuprint.metric('bleu').score(['a'], ['a']).score;
export = {score};
