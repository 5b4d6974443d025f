import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useListOwnDecisionsQuery } from '@/api/desk'
import { Loaded } from '@/api/Loaded'
import { AppealBadge } from '@/entities/moderation/AppealThread'
import { SubjectName } from '@/entities/moderation/SubjectName'
import { DECIDED, REASONS, STATES } from '@/entities/moderation/texts'
import { paths } from '@/routes/paths'
import { Badge, Flex, Panel, Skeleton, Stack, Text } from '@/ui'
import { DividedList } from '@/ui/DividedList'
import { DateTime } from '@/ui/format'
import { PageLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'

/** The decisions about the player who is logged in, the newest first. */
export function OwnDecisions() {
  const query = useListOwnDecisionsQuery(undefined, { refetchOnMountOrArgChange: true })
  return (
    <Loaded query={query} skeleton={<Skeleton h="64" role="status" aria-label={t`Loading...`} />}>
      {(decisions) =>
        decisions.length === 0 ? (
          <EmptyMessage title={t`No decisions have been made about you.`} />
        ) : (
          <Panel px="4">
            <DividedList aria-label={t`Decisions about you`}>
              {decisions.map(({ _id, kind, subject, publicReason, state, undone, at, appeal }) => (
                <Stack as="li" key={_id} gap="1" py="3">
                  <Flex wrap="wrap" align="center" gap="3">
                    <PageLink to={paths.decision(_id)} fontWeight="semibold">
                      {i18n._(DECIDED[kind])}
                    </PageLink>
                    {undone ? (
                      <Badge>{t`Undone`}</Badge>
                    ) : (
                      state !== 'carried_out' && <Badge>{i18n._(STATES[state])}</Badge>
                    )}
                    {appeal && <AppealBadge {...appeal} />}
                  </Flex>
                  {subject.kind !== 'player' && (
                    <Text>
                      <SubjectName subject={subject} />
                    </Text>
                  )}
                  <Text color="fg.muted" textStyle="sm">
                    <span>{`${i18n._(REASONS[publicReason])} ·`}</span> <DateTime iso={at} />
                  </Text>
                </Stack>
              ))}
            </DividedList>
          </Panel>
        )
      }
    </Loaded>
  )
}
