import { i18n } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type DecisionCount, type ModerationSummary, useGetModerationQuery } from '@/api/desk'
import { Loaded } from '@/api/Loaded'
import { DECIDED } from '@/entities/moderation/texts'
import { type Column, DataList, DataTable, Grid, Panel, Skeleton, Stack, Text } from '@/ui'
import { Fact } from '@/ui/Facts'
import { durationText, formatNumber, MINUTE_MS } from '@/ui/format'
import { Part } from '@/ui/Part'

/** What the moderators did lately, in numbers. */
export function ModerationView() {
  const query = useGetModerationQuery()
  return (
    <Loaded query={query} skeleton={<Skeleton h="24rem" rounded="l3" role="status" aria-label={t`Loading...`} />}>
      {(summary) => <Numbers summary={summary} />}
    </Loaded>
  )
}

function Numbers({ summary }: { summary: ModerationSummary }) {
  const { days, openCases, reports, closedCases, decisions, undone, medianMinutes } = summary
  const { appealsOpen, appealsGranted, appealsKept } = summary
  return (
    <Grid
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) minmax(0, 1fr)' }}
      gap="8"
      alignItems="start"
    >
      <Part title={plural(days, { one: 'The last day', other: 'The last # days' })}>
        <Panel p="5">
          <DataList.Root display="grid" gridTemplateColumns="1fr 1fr" gap="4">
            <Fact strong label={t`Median time to a decision`}>
              {medianMinutes === null ? t`No decision yet` : durationText(medianMinutes * MINUTE_MS)}
            </Fact>
            <Fact strong label={t`Reports`}>
              {formatNumber(reports)}
            </Fact>
            <Fact strong label={t`Cases decided`}>
              {formatNumber(closedCases)}
            </Fact>
            <Fact strong label={t`Decisions undone`}>
              {formatNumber(undone)}
            </Fact>
            <Fact strong label={t`Appeals granted`}>
              {formatNumber(appealsGranted)}
            </Fact>
            <Fact strong label={t`Appeals refused`}>
              {formatNumber(appealsKept)}
            </Fact>
            <Fact strong label={t`Cases waiting now`}>
              {formatNumber(openCases)}
            </Fact>
            <Fact strong label={t`Appeals waiting now`}>
              {formatNumber(appealsOpen)}
            </Fact>
          </DataList.Root>
        </Panel>
      </Part>
      <Part title={t`Decisions`}>
        {decisions.length === 0 ? (
          <Text color="fg.muted">{t`Nothing was decided.`}</Text>
        ) : (
          <DataTable label={t`Decisions`} columns={columns} rows={decisions} idOf={({ kind }) => kind} />
        )}
      </Part>
    </Grid>
  )
}

const columns: Column<DecisionCount>[] = [
  { header: msg`Decision`, width: '8rem', cell: ({ kind }) => i18n._(DECIDED[kind]) },
  { header: msg`Number`, width: '3rem', align: 'end', cell: ({ count }) => formatNumber(count) },
]

/** How reports are judged. */
export function HowModeratorsWork() {
  return (
    <Part title={t`How moderators work`}>
      <Stack gap="3" maxW="3xl">
        <Text>
          <Trans>
            Records are accepted once the server has checked their replay, and judged later. Anyone who finds something
            wrong can report it with the button on its page; automatic checks flag what is unusual and never remove
            anything.
          </Trans>
        </Text>
        <Text>
          <Trans>
            A moderator claims the case, looks at the replay, the checks and the leaderboard, and decides with a reason.
            Nobody judges what is their own, what they have reported, or a record next to their own. Both the reporter
            and the player concerned are told the outcome.
          </Trans>
        </Text>
        <Text>
          <Trans>
            Every decision except a merge can be undone within a year. The player concerned can appeal, even while
            banned, and another moderator answers where there is one.
          </Trans>
        </Text>
      </Stack>
    </Part>
  )
}
