import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { DeskMap, DeskNeighbour, DeskPlayer, DeskRecord } from '@/api/desk'
import { RoleBadges } from '@/entities/player/more/RoleBadges'
import { PlayerName } from '@/entities/player/PlayerName'
import { formatTime } from '@/entities/record/raceTime'
import { Time, TimeLink } from '@/entities/record/Time'
import { Badge, type Column, DataTable, HStack, Panel, Stack } from '@/ui'
import { Fact, Facts } from '@/ui/Facts'
import { DateTime, formatMoment, sinceText } from '@/ui/format'
import { Part } from '@/ui/Part'
import { SaveFileButton } from './SaveFileButton'

/** The record of a case with its place among its neighbours. */
export function RecordFacts({ id, record }: { id: string; record: DeskRecord }) {
  const { finishTime, finishTimeStamp, submittedAt, rank, finishers, removed, hidden, neighbours } = record
  return (
    <Part
      title={t`Record`}
      aside={
        <SaveFileButton
          small
          of={{ url: `/desk/records/${id}/replay` }}
          name={`${id}.lbReplay`}
          failure={t`The replay could not be downloaded`}
        >
          <Trans>Download replay</Trans>
        </SaveFileButton>
      }
    >
      <Stack gap="4">
        <FactPanel>
          <Fact label={t`Time`}>
            <Time ms={finishTime} />
          </Fact>
          <Fact label={t`Place`}>{rank === null ? t`No place` : t`${rank} of ${finishers}`}</Fact>
          <Fact label={t({ message: 'Finished', context: 'when' })}>{formatMoment(finishTimeStamp)}</Fact>
          <Fact label={t`Submitted`}>{formatMoment(submittedAt)}</Fact>
          <Fact label={t`State`}>
            <HStack gap="2">
              {removed && <Badge colorPalette="red">{t`Removed`}</Badge>}
              {hidden && <Badge colorPalette="yellow">{t`Hidden`}</Badge>}
              {!removed && !hidden && <Trans>Shown</Trans>}
            </HStack>
          </Fact>
        </FactPanel>
        {neighbours.length > 0 && (
          <DataTable
            label={t`Neighbours on the leaderboard`}
            columns={neighbourColumns(finishTime)}
            rows={neighbours}
            idOf={({ recordId }) => recordId}
          />
        )}
      </Stack>
    </Part>
  )
}

const neighbourColumns = (finishTime: number): Column<DeskNeighbour>[] => [
  { header: msg`Place`, width: '2rem', cell: ({ rank }) => rank },
  { header: msg`Neighbour`, width: '8rem', cell: ({ player }) => <PlayerName player={player} size={6} /> },
  {
    header: msg`Time`,
    width: '5rem',
    cell: ({ recordId, finishTime }) => <TimeLink id={recordId} ms={finishTime} />,
  },
  {
    header: msg`Difference`,
    width: '5rem',
    muted: true,
    hideBelow: 'sm',
    cell: ({ finishTime: other }) => formatTime(Math.abs(other - finishTime)),
  },
]

export function MapFacts({ map: { removed, superseded, unranked, gameMapId } }: { map: DeskMap }) {
  return (
    <Part title={t`Map`}>
      <FactPanel>
        <Fact label={t`Game database id`}>{gameMapId}</Fact>
        <Fact label={t`State`}>
          <HStack gap="2">
            {removed && <Badge colorPalette="red">{t`Removed`}</Badge>}
            {unranked && <Badge colorPalette="yellow">{t`Unranked`}</Badge>}
            {superseded && <Badge>{t`Older version`}</Badge>}
            {!removed && !unranked && !superseded && <Trans>Shown</Trans>}
          </HStack>
        </Fact>
      </FactPanel>
    </Part>
  )
}

export function PlayerFacts({ player, name }: { player: DeskPlayer; name: string }) {
  const { registered, banned, bannedUntil, roles, createdAt } = player
  return (
    <Part title={name} aside={<RoleBadges roles={roles} on="profile" />}>
      <FactPanel>
        <Fact label={t`Account since`}>
          <DateTime iso={createdAt} />
        </Fact>
        <Fact label={t`Age`}>{sinceText(createdAt)}</Fact>
        <Fact label={t`State`}>
          {banned ? (
            <Badge colorPalette="red">
              {bannedUntil ? (
                <Trans>
                  Banned until <DateTime iso={bannedUntil} />
                </Trans>
              ) : (
                <Trans>Banned permanently</Trans>
              )}
            </Badge>
          ) : registered ? (
            <Trans>Not banned</Trans>
          ) : (
            <Trans>Never logged in</Trans>
          )}
        </Fact>
      </FactPanel>
    </Part>
  )
}

function FactPanel({ children }: { children: ReactNode }) {
  return (
    <Panel p="4">
      <Facts>{children}</Facts>
    </Panel>
  )
}
