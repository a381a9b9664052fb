// The servers' HTTP library asks for the Web Crypto API by its global name, which Node has since 20.
// Debian 12 comes with Node 18, which keeps it in a module.
globalThis.crypto ??= require("node:crypto").webcrypto;
