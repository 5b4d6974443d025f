import type { ReactNode } from 'react'
import { MapPicture } from '@/features/maps/MapPicture'
import type { ParkourMap } from '@/shared/api'
import { Badge } from '@/shared/components/Badge'
import { ButtonLink } from '@/shared/components/Button'
import { UploadIcon } from '@/shared/components/icons'
import { MedalIcon } from '@/shared/components/MedalIcon'
import { PageHeading } from '@/shared/components/PageHeading'
import { PlayerName } from '@/shared/components/PlayerName'
import { RaceTime } from '@/shared/components/RaceTime'
import { Skeleton } from '@/shared/components/Skeleton'
import { Stack } from '@/shared/components/Stack'
import { TextLink } from '@/shared/components/TextLink'
import { cx } from '@/shared/lib/cx'
import { formatDate } from '@/shared/lib/dates'
import { MEDALS } from '@/shared/lib/medals'
import text from '@/shared/theme/text.module.css'
import styles from './MapDetails.module.css'

export function MapTitle({ map }: { map: ParkourMap }) {
  return (
    <div className={styles.title}>
      <div className={styles.name}>
        <PageHeading>{map.name}</PageHeading>
        <p className={styles.author}>
          by <PlayerName player={map.author} />
        </p>
      </div>
      <ButtonLink to={`/replay-submit/${map._id}`}>
        <UploadIcon /> Submit Record
      </ButtonLink>
    </div>
  )
}

export function MapTitleSkeleton() {
  return (
    <div className={styles.title} aria-hidden="true">
      <Stack gap={2}>
        <Skeleton h="2.75rem" w="18rem" />
        <Skeleton h="1.75rem" w="9rem" />
      </Stack>
    </div>
  )
}

export function MapDetails({ map }: { map: ParkourMap }) {
  return (
    <div className={styles.panel}>
      <MapPicture src={map.imageUrl} alt={`The map ${map.name}`} eager />
      <Stack gap={4} className={styles.inner}>
        <MedalTimes map={map} />
        {map.description && <p className={styles.description}>{map.description}</p>}
        {map.tags.length > 0 && (
          <ul className={styles.tags} aria-label="Tags">
            {map.tags.map((tag) => (
              <li key={tag}>
                <TextLink to={`/map-search?tags=${encodeURIComponent(tag)}`}>
                  <Badge look="outline">{tag}</Badge>
                </TextLink>
              </li>
            ))}
          </ul>
        )}
        <dl className={styles.facts}>
          <Fact label="Uploaded">{formatDate(map.createdAt)}</Fact>
          <Fact label="Game mode">{map.gameMode}</Fact>
          <Fact label="Game database id">{map.bonkDbId}</Fact>
          <Fact label="Map id">
            <code className={styles.id}>{map._id}</code>
          </Fact>
          {map.submittedBy && map.submittedBy._id !== map.author._id && (
            <Fact label="Submitted by">
              <TextLink to={`/player/${map.submittedBy._id}`}>{map.submittedBy.name}</TextLink>
            </Fact>
          )}
          {map.contributors?.length > 0 && <Fact label="Contributors">{map.contributors.join(', ')}</Fact>}
          {map.remixOf && (
            <Fact label="Remix of">
              {map.remixOf.name} by {map.remixOf.author}
            </Fact>
          )}
        </dl>
      </Stack>
    </div>
  )
}

function MedalTimes({ map }: { map: ParkourMap }) {
  const given = MEDALS.flatMap((medal) => {
    const ms = map.medalTimes[medal]
    return ms === null ? [] : [{ medal, ms }]
  })
  if (given.length === 0) {
    return <p className={cx(text.small, text.muted)}>The author has set no medal times.</p>
  }
  return (
    <ul className={styles.medals} aria-label="Medal times">
      {given.map(({ medal, ms }) => (
        <li key={medal} className={styles.medal}>
          <MedalIcon medal={medal} size={5} />
          <RaceTime ms={ms} />
        </li>
      ))}
    </ul>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{children}</dd>
    </>
  )
}

export function MapDetailsSkeleton() {
  return (
    <div className={styles.panel} aria-hidden="true">
      <Skeleton shape="picture" />
      <Stack gap={4} className={styles.inner}>
        <Skeleton h="5rem" />
        <Skeleton h="3rem" />
        <Skeleton h="6rem" />
      </Stack>
    </div>
  )
}
