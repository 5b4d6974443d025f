import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { type Elements, Link, Stack } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { PageLink } from '@/ui/links'
import { CopyLines } from '@/ui/more/CopyLines'
import { TextPart } from '@/ui/more/TextPart'
import { paths } from './paths'

/** How programs read the site. */
export default function ProgramsPage() {
  usePageTitle(t`For programs`)
  const site = location.origin
  const api = `${site}/api/v1`
  return (
    <>
      <PageHeading hint={t`Bots, overlays and statistics are welcome. Public data needs no login.`}>
        <Trans>For programs</Trans>
      </PageHeading>
      <Stack gap="8" maxW="3xl">
        <Example
          title={t`Documentation`}
          lines={`curl '${api}/records/world-records?limit=5'\ncurl ${api}/openapi.json`}
          more={
            <Link href="/api/v1/docs" variant="underline" color="brand.fg">
              <Trans>Every call, to read and to try</Trans>
            </Link>
          }
        >
          <Trans>The API has everything that the pages show. Responses say how many requests are left.</Trans>
        </Example>
        <Example title={t`Live events`} lines={`curl -N '${api}/events?types=worldRecord'`}>
          <Trans>
            A stream of new records, maps and points. After an interruption it resumes from the last event that you
            received.
          </Trans>
        </Example>
        <Example title={t`Dumps`} lines={`curl -L ${site}/dumps/latest`}>
          <Trans>Every night all public data is written to files, as CSV and as JSON lines.</Trans>
        </Example>
        <Example title={t`Feeds`} lines={`${site}/feeds/world-records.atom\n${site}/feeds/maps.atom`}>
          <Trans>New world records and new maps, for feed readers.</Trans>
        </Example>
        <Example
          title={t`Webhooks`}
          lines={`curl -H "Authorization: Bearer $token" -H 'Content-Type: application/json' ${api}/webhooks \\\n  -d '{"url":"https://example.com/capzone","format":"json","filter":{"types":["worldRecord"]}}'`}
          more={
            <>
              <PageLink to={paths.webhooks} variant="underline">
                <Trans>Your webhooks</Trans>
              </PageLink>
              <PageLink to={paths.tokens} variant="underline">
                <Trans>Your tokens</Trans>
              </PageLink>
            </>
          }
        >
          <Trans>
            The site sends signed events to your server, or messages to a Discord channel. A player can have up to five.
          </Trans>
        </Example>
      </Stack>
    </>
  )
}

interface Props {
  title: string
  lines: string
  more?: Elements
  children: ReactNode
}

function Example({ title, lines, more, children }: Props) {
  const example = (
    <>
      <CopyLines label={t`Example: ${title}`} copyLabel={t`Copy: ${title}`}>
        {lines}
      </CopyLines>
      {more && (
        <Stack direction="row" gap="4" flexWrap="wrap">
          {more}
        </Stack>
      )}
    </>
  )
  return (
    <TextPart title={title} more={example}>
      {children}
    </TextPart>
  )
}
