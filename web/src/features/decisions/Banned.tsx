import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { PublicReason } from '@/api/desk'
import { REASONS } from '@/entities/moderation/texts'
import { paths } from '@/routes/paths'
import type { Ban } from '@/session/session'
import { Panel, Stack, Text } from '@/ui'
import { DateTime } from '@/ui/format'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { ButtonLink } from '@/ui/links'

const isReason = (text: string | null): text is PublicReason => text !== null && Object.hasOwn(REASONS, text)

/** What a banned player sees instead of any page but those about the ban. */
export default function Banned({ ban: { until, reason, decisionId } }: { ban: Ban }) {
  usePageTitle(t`You are banned`)
  return (
    <Stack gap="5" maxW="2xl">
      <PageHeading>{t`You are banned`}</PageHeading>
      <Panel p={{ base: '5', md: '6' }}>
        <Stack gap="4" align="flex-start">
          <Text>
            {until ? (
              <Trans>
                Your account is banned until <DateTime iso={until} />.
              </Trans>
            ) : (
              <Trans>Your account is banned permanently.</Trans>
            )}
          </Text>
          {isReason(reason) && <Text fontWeight="semibold">{t`Reason: ${i18n._(REASONS[reason])}`}</Text>}
          <Text color="fg.muted">
            <Trans>You can do nothing else while you are logged in. Visitors can still read the site.</Trans>
          </Text>
          {decisionId ? (
            <ButtonLink to={paths.decision(decisionId)}>{t`Read the decision and appeal`}</ButtonLink>
          ) : (
            <ButtonLink to={paths.decisions} variant="outline">{t`Decisions about you`}</ButtonLink>
          )}
        </Stack>
      </Panel>
    </Stack>
  )
}
