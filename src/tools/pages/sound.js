/* The sound of stones on wood, made when it is heard; off unless it is wanted. */

let isSoundOn = stored.get("sound") === "on";
let audio = null;

/** A stone is put down, and so many are taken off. */
function playStep(captured) {
  if (isSoundOn) {
    audio ??= new AudioContext();
    audio.resume();
    knock(0, 300, 0.5);
    for (let stone = 0; stone < Math.min(captured, 4); stone += 1) {
      knock(0.07 + 0.05 * stone, 520 + 60 * stone, 0.25);
    }
  }
}

/** A short tone that falls: after so many seconds, of a pitch in Hz. */
function knock(delay, pitch, volume) {
  const [begin, end] = [audio.currentTime + delay, audio.currentTime + delay + 0.09];
  const [tone, loudness] = [new OscillatorNode(audio, { type: "triangle", frequency: pitch }), new GainNode(audio, { gain: volume })];
  tone.frequency.setValueAtTime(pitch, begin);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, end);
  loudness.gain.setValueAtTime(volume, begin);
  loudness.gain.exponentialRampToValueAtTime(0.001, end);
  tone.connect(loudness).connect(audio.destination);
  tone.start(begin);
  tone.stop(end);
}
