module.exports = { a, b: function (x, y) { return arguments }, ...rest };
exports.f = function f(o) { o = o || {}; return o.deep };
const { f } = require("./lib"); f({ deep: 1 }); class A { x = () => this.y; static async *g() {} }
