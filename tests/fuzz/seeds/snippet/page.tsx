import { Client, type Options } from "kit"
import * as fs from "node:fs"

/** Fetches a page. */
export async function fetchPage(url: string, options?: Options) {
    const client = new Client({ base: "x", ...options })
    const reply = await client.get(url, { timeout: 5 })
    fs.writeFileSync(`${url}.html`, reply.text())
    return <Page onOpen={() => client.close()}>{reply.map((r) => r.title)}</Page>
}
