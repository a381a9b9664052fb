// An authorization server: oidc-provider, which registers clients, asks for a login and a consent by
// its pages for development, and issues tokens that live as many seconds as the argument says. It
// prints its address. Whoever is the client "resource" may ask it about tokens.
import http from "node:http";
import { Provider } from "oidc-provider";

const life = Number(process.argv[2]);
const server = http.createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      { client_id: "resource", client_secret: "of-the-resource", redirect_uris: [], response_types: [], grant_types: [] },
    ],
    scopes: ["openid", "offline_access", "notes"],
    pkce: { required: () => true, methods: ["S256"] },
    ttl: { AccessToken: life, Grant: 3600, Session: 3600, Interaction: 600, RefreshToken: 3600 },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({ scope: "notes", accessTokenFormat: "opaque", accessTokenTTL: life }),
      },
    },
  });
  server.on("request", provider.callback());
  console.log(issuer);
});
process.stdin.resume().on("end", () => process.exit(0));
