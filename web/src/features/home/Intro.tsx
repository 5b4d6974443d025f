import { config } from '@/config'
import { ButtonLink } from '@/shared/components/Button'
import { MapIcon, UsersIcon } from '@/shared/components/icons'
import { PageHeading } from '@/shared/components/PageHeading'
import { Stack } from '@/shared/components/Stack'
import styles from './Intro.module.css'

export function Intro() {
  return (
    <Stack gap={5} className={styles.intro}>
      <PageHeading>Find a map. Beat the clock.</PageHeading>
      <p className={styles.words}>
        {config.siteName} keeps the parkour maps of {config.game.name} and the fastest runs through them. Look
        for a map that suits you, race for its medals, and hand in your replay.
      </p>
      <div className={styles.ways}>
        <ButtonLink to="/map-search" size="lg">
          <MapIcon /> Explore Maps
        </ButtonLink>
        <ButtonLink to="/player-search" size="lg" look="outline">
          <UsersIcon /> View Players
        </ButtonLink>
      </div>
    </Stack>
  )
}
