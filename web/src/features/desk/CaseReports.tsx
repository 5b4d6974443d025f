import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import type { CaseReport } from '@/api/desk'
import { REASONS } from '@/entities/moderation/texts'
import { PlayerName } from '@/entities/player/PlayerName'
import { Flex, Panel, Stack, Text } from '@/ui'
import { DividedList } from '@/ui/DividedList'
import { DateTime } from '@/ui/format'
import { Part } from '@/ui/Part'

/** What players have reported, with how often the reporter was right. */
export function CaseReports({ reports }: { reports: CaseReport[] }) {
  return (
    <Part
      title={t`Reports`}
      aside={
        <Text color="fg.muted" textStyle="sm">
          {plural(reports.length, { one: '# report', other: '# reports' })}
        </Text>
      }
    >
      <Panel px="4">
        <DividedList aria-label={t`Reports`}>
          {reports.map(({ _id, reporter, accuracy, reason, text, at }) => (
            <Stack as="li" key={_id} gap="1" py="3">
              <Flex wrap="wrap" align="center" gap="3">
                <Text fontWeight="semibold">{i18n._(REASONS[reason])}</Text>
                <Text color="fg.muted" textStyle="sm">
                  <DateTime iso={at} />
                </Text>
              </Flex>
              {text && <Text whiteSpace="pre-line">{text}</Text>}
              <Flex wrap="wrap" align="center" gap="3" color="fg.muted" textStyle="sm">
                <PlayerName player={reporter} size={5} />
                <span>{accuracyText(accuracy)}</span>
              </Flex>
            </Stack>
          ))}
        </DividedList>
      </Panel>
    </Part>
  )
}

function accuracyText(accuracy: number | null): string {
  if (accuracy === null) return t`few reports so far`
  const share = i18n.number(accuracy, { style: 'percent', maximumFractionDigits: 0 })
  return t`${share} of the last reports confirmed`
}
