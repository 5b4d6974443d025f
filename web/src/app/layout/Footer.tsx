import { config } from '@/config'
import { TextLink } from '@/shared/components/TextLink'
import { type ColourChoice, useColourChoice } from '@/shared/theme/colourMode'
import styles from './Footer.module.css'

export function Footer() {
  return (
    <footer className={styles.footer}>
      <div className={styles.columns}>
        <div className={styles.words}>
          <p>
            {config.siteName} is a fan-made community site. It is not affiliated with the owners of{' '}
            {config.game.name}.
          </p>
          <TextLink to="/privacy">Privacy Policy</TextLink>
        </div>
        <ColourChoiceField />
      </div>
    </footer>
  )
}

function ColourChoiceField() {
  const [choice, choose] = useColourChoice()
  return (
    <label className={styles.choice}>
      Colours
      <select
        className={styles.select}
        value={choice}
        onChange={(event) => choose(event.currentTarget.value as ColourChoice)}
      >
        <option value="dark">Dark</option>
        <option value="light">Light</option>
        <option value="system">Follow system</option>
      </select>
    </label>
  )
}
