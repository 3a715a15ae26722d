// SPDX-License-Identifier: Apache-2.0

// Written by Tools/generate-word-lists; do not change this file by hand.
// The beginning of the list passwords of zxcvbn; NOTICE has its licence.

extension WordLists {
    /// Common passwords of published breaches. The commonest first.
    static let commonPasswords = """
        123456 password 12345678 qwerty 123456789 12345 1234 111111 1234567 dragon 123123 baseball abc123 football
        monkey letmein shadow master 696969 mustang 666666 qwertyuiop 123321 1234567890 pussy superman 654321 1qaz2wsx
        7777777 fuckyou qazwsx jordan 123qwe 000000 killer trustno1 hunter harley zxcvbnm asdfgh buster batman soccer
        tigger charlie sunshine iloveyou fuckme ranger hockey computer starwars asshole pepper klaster 112233 zxcvbn
        freedom princess maggie pass ginger 11111111 131313 fuck love cheese 159753 summer chelsea dallas biteme matrix
        yankees 6969 corvette austin access thunder merlin secret diamond hello hammer fucker 1234qwer silver gfhjkm
        internet samantha golfer scooter test orange cookie q1w2e3r4t5 maverick sparky phoenix mickey bigdog snoopy
        guitar whatever chicken camaro mercedes peanut ferrari falcon cowboy welcome sexy samsung steelers smokey dakota
        arsenal boomer eagles tigers marina nascar booboo gateway yellow porsche monster spider diablo hannah bulldog
        junior london purple compaq lakers iceman qwer1234 hardcore cowboys money banana ncc1701 boston tennis q1w2e3r4
        coffee scooby 123654 nikita yamaha mother barney brandy chester fuckoff oliver player forever rangers midnight
        chicago bigdaddy redsox angel badboy fender jasper slayer rabbit natasha marine bigdick wizard marlboro raiders
        prince casper fishing flower jasmine iwantu panties adidas winter winner gandalf password1 enter ghbdtn 1q2w3e4r
        golden cocacola jordan23 winston madison angels panther blowme sexsex bigtits spanky bitch sophie asdfasdf horny
        thx1138 toyota tiger dick canada 12344321 blowjob 8675309 muffin liverpoo apples qwerty123 passw0rd abcd1234
        pokemon 123abc slipknot qazxsw 123456a scorpion qwaszx butter startrek rainbow asdfghjkl razz newyork redskins
        gemini cameron qazwsxedc florida liverpool turtle sierra viking booger butthead doctor rocket 159357 dolphins
        captain bandit jaguar packers pookie peaches 789456 asdf dolphin helpme blue theman maxwell qwertyui shithead
        lovers maddog giants nirvana metallic hotdog rosebud mountain warrior stupid elephant suckit success bond007
        jackass alexis porn lucky scorpio samson q1w2e3 azerty rush2112 driver freddy 1q2w3e4r5t sydney gators dexter
        red123 123456q 12345a bubba creative voodoo golf trouble america nissan gunner garfield bullshit asdfghjk 5150
        fucking apollo 1qazxsw2 2112 eminem legend airborne bear beavis apple brooklyn godzilla skippy 4815162342 buddy
        qwert kitten magic shelby beaver phantom asdasd xavier braves darkness blink182 copper platinum qweqwe tomcat
        01012011 girls bigboy 102030 animal police online 11223344 voyager lifehack 12qwaszx fish sniper 315475 trinity
        blazer heaven lover snowball playboy loveme bubbles hooters cricket willow donkey topgun nintendo saturn destiny
        pakistan pumpkin digital sergey redwings explorer tits private runner therock guinness lasvegas beatles
        789456123 fire cassie christin qwerty1 celtic asdf1234 andrey broncos 007007 babygirl eclipse fluffy cartman
        michigan carolina testing alexande birdie pantera cherry vampire mexico dickhead buffalo genius montana beer
        minecraft maximus flyers lovely stalker metallica doggie snickers speedy bronco lol123 paradise yankee horses
        magnum dreams 147258369 lacrosse ou812 goober enigma qwertyu scotty pimpin bollocks surfer cock poohbear genesis
        star asd123 qweasdzxc racing hello1 hawaii eagle1 viper poopoo einstein boobies 12345q bitches drowssap simple
        badger alaska action jester drummer 111222 spitfire forest maryjane champion diesel svetlana friday hotrod
        147258 chevy lucky1 westside security google badass tester shorty thumper hitman mozart zaq12wsx boobs reddog
        010203 lizard a123456 123456789a ruslan eagle 1232323q scarface qwerty12 147852 a12345 buddha porno 420420
        spirit money1 stargate qwe123 naruto mercury liberty 12345qwert semperfi suzuki popcorn spooky marley scotland
        kitty cherokee vikings simpsons rascal qweasd hummer loveyou michael1 patches russia jupiter penguin passion
        cumshot vfhbyf honda vladimir sandman passport raider bastard 123789 infinity assman bulldogs fantasy sucker
        1234554321 horney domino budlight disney ironman usuckballz1 softball brutus redrum bigred mnbvcxz fktrcfylh
        karina marines digger kawasaki cougar fireman oksana monday cunt justice nigger super wildcats tinker logitech
        dancer swordfis avalon everton alexandr motorola patriots hentai madonna pussy1 ducati colorado connor juventus
        galore smooth freeuser warcraft boogie titanic wolverin elizabet arizona valentin saints asdfg accord test123
        password123 christ yfnfif stinky slut spiderma naughty chopper hello123 ncc1701d extreme skyline poop zombie
        pearljam 123qweasd froggy awesome vision pirate fylhtq dreamer bullet predator empire 123123a kirill charlie1
        panthers penis skipper nemesis rasdzv3 peekaboo rolltide cardinal psycho danger mookie happy1 wanker chevelle
        manutd goblue 9379992 hobbes vegeta fyfcnfcbz 852456 picard 159951 windows loverboy victory vfrcbv bambam serega
        123654789 turkey tweety galina hiphop rooster changeme berlin taurus suckme polina electric avatar 134679 maksim
        raptor alpha1 hendrix newport bigcock brazil spring a1b2c3 madmax alpha britney sublime darkside bigman wolfpack
        classic hercules ronaldo letmein1 1q2w3e 741852963 spiderman blizzard 123456789q cheyenne cjkysirj tiger1 wombat
        bubba1 pandora zxc123 holiday wildcat devils horse alabama 147852369 caesar 12312 buddy1 bondage pussycat pickle
        shaggy catch22 leather chronic a1b2c3d4 admin qqq111 qaz123 airplane kodiak freepass billybob sunset katana
        phpbb chocolat snowman angel1 stingray firebird wolves zeppelin detroit pontiac gundam panzer vagina outlaw
        redhead tarheels greenday nastya 01011980 hardon engineer dragon1 hellfire serenity cobra fireball lickme
        darkstar 1029384756 01011 mustang1 flash 124578 strike beauty pavilion 01012000 bobafett dbrnjhbz bigmac bowling
        chris1 ytrewq natali pyramid rulez welcome1 dodgers apache swimming whynot teens trooper fuckit defender
        precious 135790 packard weasel popeye lucifer cancer icecream 142536 raven swordfish presario viktor rockstar
        blonde james1 wutang spike pimp atlanta airforce thailand casino lennon mouse 741852 hacker bluebird hawkeye
        456123 theone catfish sailor goldfish nfnmzyf tattoo pervert barbie maxima nipples machine trucks wrangler rocks
        tornado lights cadillac bubble pegasus madman longhorn browns target 666999 eatme qazwsx123 microsoft dilbert
        christia baller lesbian shooter xfiles seattle qazqaz cthutq amateur prelude corona freaky malibu 123qweasdzxc
        assassin 246810 atlantis integra pussies iloveu lonewolf dragons monkey1 unicorn software bobcat stealth peewee
        openup 753951 srinivas zaqwsx valentina shotgun trigger veronika bruins coyote babydoll joker dollar lestat
        rocky1 hottie random butterfly wordpass smiley sweety snake chipper woody samurai devildog gizmo maddie
        soso123aljg mistress freedom1 flipper express hjvfirf moose cessna piglet polaris teacher montreal cookies
        wolfgang scully fatboy wicked balls tickle bunny dfvgbh foobar transam pepsi fetish oicu812 basketba toshiba
        hotstuff sunday booty gambit 31415926 impala stephani jessica1 hooker lancer knicks shamrock fuckyou2 stinger
        314159 redneck deftones squirt siemens blaster trucker subaru renegade ibanez manson swinger reaper blondie
        mylove galaxy blahblah enterpri travel 1234abcd babylon5 indiana skeeter master1 sugar ficken smoke bigone
        sweetpea fucked trfnthbyf marino escort smitty bigfoot babes larisa trumpet spartan valera babylon asdfghj
        yankees1 bigboobs stormy mister hamlet aardvark butterfl marathon paladin cavalier manchester skater indigo
        hornet buckeyes 01011990 indians karate hesoyam toronto diamonds chiefs buckeye 1qaz2wsx3edc highland hotsex
        charger redman passwor maiden drpepper storm pornstar garden 12345678910 pencil sherlock timber thuglife insane
        pizza jungle jesus1 aragorn 1a2b3c hamster david1 triumph techno lollol pioneer catdog 321654 fktrctq morpheus
        141627 pascal shadow1 hobbit wetpussy erotic consumer blabla justme stones chrissy spartak goforit burger
        pitbull adgjmptw italia barcelona hunting colors kissme virgin overlord pebbles sundance emerald doggy racecar
        irina element 1478963 zipper alpine basket goddess poison nipple sakura chichi huskers 13579 pussys q12345
        ultimate ncc1701e blackie nicola rommel matthew1 caserta omega geronimo sammy1 trojan 123qwe123 philips nugget
        tarzan chicks aleksandr bassman trixie portugal anakin dodger bomber superfly madness q1w2e3r4t5y6 loser 123asd
        fatcat ybrbnf soldier warlock wrinkle1 desire sexual babe seminole alejandr 951753 11235813 westham andrei
        concrete access14 weed letmein2 ladybug naked christop trombone tintin bluesky rhbcnbyf qazxswedc onelove
        cdtnkfyf whore vfvjxrf titans stallion truck hansolo blue22 smiles beagle panama kingkong flatron inferno
        mongoose connect poiuyt snatch qawsed juice blessed rocker snakes turbo bluemoon sex4me finger jamaica a1234567
        mulder beetle fuckyou1 passat immortal plastic 123454321 anthony1 whiskey dietcoke suck spunky magic1 monitor
        cactus exigen planet ripper teen spyder apple1 nolimit hollywoo sluts sticky trunks 1234321 14789632 pickles
        sailing bonehead ghbdtnbr delta charlott rubber 911911 112358 molly1 yomama hongkong jumper william1 ilovesex
        faster unreal cumming memphis 1123581321 nylons legion sebastia shalom pentium geheim werewolf funtime ferret
        orion curious 555666 niners cantona sprite philly pirates abgrtyu lollipop eternity boeing super123 sweets
        cooldude tottenha green1 jackoff stocking 7895123 moomoo martini biscuit drizzt colt45 fossil makaveli snapper
        satan666 maniac salmon patriot verbatim nasty shasta asdzxc shaved blackcat raistlin qwerty12345 punkrock cjkywt
        01012010 4128 waterloo crimson twister oxford musicman seinfeld biggie condor ravens megadeth wolfman cosmos
        sharks banshee keeper foxtrot gn56gn56 skywalke velvet black1 sesame dogs squirrel privet sunrise wolverine
        sucks legolas grendel ghost cats carrot frosty lvbnhbq blades stardust frog qazwsxed 121314 coolio brownie
        groovy twilight daytona vanhalen pikachu peanuts licker hershey jericho intrepid ninja 1234567a zaq123 lobster
        goblin punisher strider shogun kansas amadeus seven7 jason1 neptune showtime muscle oldman ekaterina rfrfirf
        getsome showme 111222333 obiwan skittles danni tanker maestro tarheel anubis hannibal anal newlife gothic shark
        fighter blue123 blues 123456z princes slick chaos thunder1 sabine 1q2w3e4r5t6y python test1 mirage devil clover
        tequila chelsea1 surfing delete potato chubby panasonic sandiego portland baggins fusion sooners blackdog
        buttons californ moscow playtime mature 1a2b3c4d dagger dima stimpy asdf123 gangster warriors iverson chargers
        byteme swallow liquid lucky7 dingdong nymets cracker mushroom 456852 crusader bigguy miami dkflbvbh bugger
        nimrod tazman stranger newpass doodle powder gotcha guardian dublin slapshot septembe 147896325 pepsi1 milano
        grizzly woody1 knights photos 2468 nookie charly rammstein brasil 123321123 scruffy munchkin poopie 123098
        kittycat latino walnut 1701 thegame viper1 1passwor kolobok picasso robert1 barcelon bananas trance auburn
        coltrane eatshit goodluck starcraft wheels parrot postal blade wisdom pink gorilla katerina pass123 andrew1
        shaney14 dumbass osiris fuck_inside oakland discover ranger1 spanking lonestar bingo meridian ping heather1
        dookie stonecol megaman 192837465 rjntyjr ledzep lowrider 25802580 richard1 firefly griffey racerx paradox
        ghjcnj gangsta zaq1xsw2 tacobell weezer sirius halflife buffett shiloh 123698745 vertigo sergei aliens sobaka
        keyboard kangaroo sinner soccer1 0.0.000 bonjour socrates chucky hotboy sprint 0007 sarah1 scarlet celica shazam
        formula1 sommer trebor qwerasdf jeep mailcreated5240 bollox asshole1 fuckface honda1 rebels vacation lexmark
        penguins 12369874 ragnarok formula 258456 tempest vfhecz tacoma qwertz colombia flames rockon duck prodigy
        wookie dodgeram mustangs 123qaz sithlord smoker server bang incubus scoobydo oblivion molson kitkat titleist
        rescue zxcv1234 carpet 1122 bigballs tardis jimbob xanadu blueeyes shaman mersedes pooper pussy69 golfing hearts
        mallard 12312312 kenwood patrick1 dogg cowboys1 oracle 123zxc nuttertools 102938 topper 1122334455 shemale
        sleepy gremlin yourmom 123987 gateway1 printer monkeys peterpan mikey kingston cooler analsex jimbo pa55word
        asterix freckles birdman frank1 defiant aussie stud blondes tatyana 445566 aspirine mariners jackal deadhead
        katrin anime rootbeer frogger polo scooter1 hallo noodles thomas1 parola shaolin celine 11112222 plymouth
        creampie justdoit ohyeah fatass assfuck amazon 1234567q kisses magnus camel nopass bosco 987456 6751520 harley1
        putter champs massive spidey lightnin camelot letsgo gizmodo aezakmi bones caliente 12121 goodtime thankyou
        raiders1 brucelee redalert aquarius 456654 catherin smokin pooh mypass astros roller porkchop sapphire qwert123
        kevin1 a1s2d3f4 beckham atomic rusty1 vanilla qazwsxedcrfv hunter1 kaktus cxfcnmt blacky 753159 elvis1 aggies
        blackjac bangkok scream 123321q iforgot power1 kasper abc12 buster1 slappy shitty veritas chevrole amber1
        01012001 vader amsterdam jammer primus spectrum eduard granny horny1 sasha1 clancy usa123 satan diamond1 hitler
        avenger 1221 spankme 123456qwerty simba smudge scrappy labrador john316 syracuse front242 falcons husker
        candyman commando gator pacman delta1 pancho krishna fatman clitoris pineappl lesbians 8j4ye3uz barkley vulcan
        punkin boner celtics monopoly flyboy romashka hamburg 123456aa lick gangbang 223344 area51 spartans aaa111
        tricky snuggles drago homerun vectra homer1 hermes topcat cuddles infiniti 1234567890q cosworth goose phoenix1
        killer1 ivanov bossman qawsedrf peugeot exigent doberman durango brandon1 plumber telefon horndog laguna rbhbkk
        dawg webmaster breeze beast porsche9 beefcake leopard redbull oscar1 topdog godsmack theking pics omega1 speaker
        viktoria fuckers bowler starbuck gjkbyf valhalla anarchy blacks herbie kingpin starfish nokia loveit achilles
        906090 labtec ncc1701a fitness jordan1 brando arsenal1 bull kicker napass desert sailboat bohica tractor hidden
        muppet jackson1 jimmy1 terminator phillies pa55w0rd terror farside swingers legacy frontier butthole doughboy
        jrcfyf tuesday sabbath daniel1 nebraska homers qwertyuio azamat fallen agent007 striker camels iguana looker
        pinkfloy moloko qwerty123456 dannyboy luckydog 789654 pistol whocares charmed skiing select franky puppy daniil
        vladik vette vfrcbvrf ihateyou nevada moneys vkontakte mandingo puppies 666777 mystic zidane kotenok dilligaf
        budman bunghole zvezda 123457 triton golfball technics trojans panda laptop rookie 01011991 15426378 aberdeen
        gustav jethro enterprise igor stripper filter hurrican rfnthbyf lespaul gizmo1 butch 132435 dthjybrf 1366613
        excalibu 963852 nofear momoney possum cutter oilers moocow cupcake gbpltw batman1 splash svetik super1 soleil
        bogdan melissa1 vipers babyboy tdutybq lancelot ccbill keystone passwort flamingo firefox dogman vortex rebel
        noodle raven1 zaphod killme pokemon1 coolman danila designer skinny kamikaze deadman gopher doobie warhammer
        deeznuts freaks engage chevy1 steve1 apollo13 poncho hammers azsxdc dracula 000007 sassy bitch1 boots deskjet
        12332 macdaddy mighty rangers1 manchest sterlin casey1 meatball mailman sinatra cthulhu summer1 bubbas cartoon
        bicycle eatpussy truelove sentinel tolkien breast capone lickit summit 123456k peter1 daisy1 kitty1 123456789z
        crazy1 jamesbon texas1 sexygirl 362436 sonic billyboy redhot microsof microlab daddy1 rockets iloveyo fernand
        gordon24 danie cutlass polska star69 titties pantyhos 01011985 thekid aikido gofish mayday 1234qwe coke anfield
        sony lansing smut scotch sexx catman 73501505 hustler saun dfkthbz passwor1 jenny1 azsxdcfv cheers irish1 gabrie
        tinman orioles 1225 charlton fortuna 01011970 airbus rustam xtreme bigmoney zxcasd retard grumpy huskies boxing
        4runner kelly1 ultima warlord fordf150 oranges rotten asdfjkl superstar denali sultan bikini saratoga thor
        figaro sixers wildfire vladislav 128500 sparta mayhem greenbay chewie music1 number1 cancun fabie mellon
        poiuytrewq cloud9 crunch bigtime chicken1 piccolo bigbird 321654987 billy1 mojo 01011981 maradona sandro
        chester1 bizkit rjirfrgbde 789123 rightnow jasmine1 hyperion treasure meatloaf armani rovers jarhead 01011986
        cruise coconut dragoon utopia davids cosmo rfhbyf reebok 1066 charli giorgi sticks sayang pass1234 exodus
        anaconda zaqxsw illini woofwoof emily1 sandy1 packer poontang govols jedi tomato beaner cooter creamy lionking
        happy123 albatros poodle kenworth dinosaur greens goku happyday eeyore tsunami cabbage holyshit turkey50 memorex
        chaser bogart orgasm tommy1 volley whisper knopka ericsson walleye 321123 pepper1 katie1 chickens tyler1 corrado
        twisted 100000 zorro clemson zxcasdqwe tootsie milana zenith fktrcfylhf shania frisco polniypizdec0211 crazybab
        junebug fugazi rereirf vfvekz 1001 sausage vfczyz koshka clapton justin1 anhyeuem condom fubar hardrock
        skywalker tundra cocks gringo 150781 canon vitalik aspire stocks samsung1 applepie abc12345 arjay gandalf1 boob
        pillow sparkle gmoney rockhard lucky13 samiam everest hellyeah bigsexy skorpion rfrnec hedgehog australi candle
        slacker dicks voyeur jazzman america1 bobby1 br0d3r wolfie vfksirf 1qa2ws3ed 13243546 fright yosemite temp
        karolina fart barsik surf cheetah baddog deniska starship bootie milena hithere kume greatone dildo 50cent
        0.0.0.000 albion amanda1 midget lion maxell football1 cyclone freeporn nikola bonsai kenshin slider balloon
        roadkill killbill 222333 jerkoff 78945612 dinamo tekken rambler goliath cinnamon malaka backdoor fiesta packers1
        rastaman fletch sojdlg123aljg stefano artemis calico nyjets damnit robotech duchess rctybz hooter keywest
        18436572 hal9000 mechanic pingpong operator presto sword rasputin spank bristol faggot shado 963852741 amsterda
        321456 wibble carrera alibaba majestic ramses duster route66 trident clipper steeler wrestlin divine kipper
        gotohell kingfish snake1 passwords buttman pompey viagra zxcvbnm1 spurs 332211 slutty lineage2 oleg macross
        pooter brian1 qwert1 charles1 slave jokers yzerman swimmer ne1469 nwo4life solnce seamus lolipop pupsik moose1
        ivanova secret1 matador love69 420247 ktyjxrf subway cinder vermont pussie chico florian magick guiness allsop
        ghetto flash1 a123456789 typhoon dfkthf depeche skydive dammit seeker fuckthis crysis kcj9wx5n umbrella r2d2c3po
        123123q snoopdog critter theboss ding 162534 splinter kinky cyclops jayhawk 456321 caramel qwer123 underdog
        caveman onlyme grapes feather hotshot fuckher renault george1 sex123 pippen 000001 789987 floppy cunts megapass
        1000 pornos usmc kickass great1 quattro 135246 wassup helloo p0015123 nicole1 chivas shannon1 bullseye java
        fishes blackhaw jamesbond tunafish juggalo dkflbckfd 123789456 dallas1 translator 122333 beanie alucard
        gfhjkm123 supersta magicman ashley1 cohiba xbox360 caligula 12131415 facial 7753191 dfktynbyf cobra1 cigars fang
        klingon bob123 safari looser 10203 deepthroat malina 200000 tazmania gonzo goalie jacob1 monaco cruiser misfit
        vh5150 tommyboy marino13 yousuck sharky vfhufhbnf horizon absolut brighton 123456r death1 kungfu maxx forfun
        mamapapa enter1 budweise banker getmoney kostya qazwsx12 bigbear vector fallout nudist gunners royals chainsaw
        scania trader blueboy walrus eastside kahuna qwerty1234 love123 steph 01011989 cypress champ undertaker ybrjkfq
        europa snowboar sabres moneyman chrisbln minime nipper groucho whitey viewsonic penthous wolf359 fabric flounder
        coolguy whitesox passme smegma skidoo thanatos fucku2 snapple dalejr mondeo thesims mybaby panasoni sinbad
        thecat topher frodo sneakers q123456 z1x2c3 alfa chicago1 taylor1 ghjcnjnfr cat123 olivier cyber titanium 0420
        madison1 jabroni dang hambone intruder holly1 gargoyle sadie1 static poseidon studly newcastl sexxxx poppy
        johannes danzig beastie musica buckshot sunnyday adonis bluedog bonkers 2128506 chrono compute spawn 01011988
        turbo1 smelly wapbbs goldstar ferrari1 778899 quantum pisces boomboom gunnar 1024 test1234 florida1 nike
        superman1 multiplelo custom motherlode 1qwerty westwood usnavy apple123 daewoo korn stereo sasuke sunflowe
        watcher dharma 555777 mouse1 assholes babyblue 123qwerty marius walmart snoop starfire tigger1 paintbal knickers
        aaliyah lokomotiv theend winston1 sapper rover erotica scanner racer zeus sexy69 doogie bayern joshua1 newbie
        scott1 losers droopy outkast martin1 dodge1 wasser ufkbyf rjycnfynby thirteen 12345z 112211 hotred deejay
        hotpussy 192837 jessic philippe scout panther1 cubbies havefun magpie fghtkm avalanch newyork1 pudding leonid
        harry1 cbr600 audia4 bimmer fucku 01011984 idontknow vfvfgfgf 1357 aleksey builder 01011987 zerocool godfather
        mylife donuts allmine redfish 777888 sascha nitram bounce 333666 smokes 1x2zkg8w rodman stunner zxasqw12 hoosier
        hairy beretta insert 123456s rtyuehe francesc tights cheese1 micron quartz hockey1 gegcbr searay jewels bogey
        paintball celeron padres bing syncmaster ziggy simon1 beaches prissy diehard orange1 mittens aleksandra queens
        02071986 biggles thongs southpark artur twinkle gretzky rabota cambiami monalisa gollum chuckles spike1
        gladiator whisky spongebob sexy1 03082006 mazafaka meathead 4121 ou8122 barefoot 12345678q cfitymrf bigass
        a1s2d3 kosmos blessing titty clevelan terrapin ginger1 johnboy maggot clarinet deeznutz 336699 stumpy stoney
        footbal traveler volvo bucket snapon pianoman hawkeyes futbol casanova tango goodboy scuba honey1 sexyman
        warthog mustard abc1234 nickel 10203040 meowmeow 1012 boricua prophet sauron 12qwas reefer andromeda crystal1
        joker1 90210 goofy loco lovesex triangle whatsup mellow bengals monster1 maste 01011910 lover1 love1 123aaa
        sunshin smeghead hokies sting welder rambo cerberus bunny1 rockford monke 1q2w3e4r5 goldwing gabriell buzzard
        crjhgbjy james007 rainman groove tiberius purdue nokia6300 hayabusa shou jagger diver zigzag poochie usarmy
        phish redwood redwing 12345679 salamander silver1 abcd123 sputnik boobie ripple eternal 12qw34er thegreat
        allstar slinky gesperrt mishka whiskers pinhead overkill sweet1 rhfcjnrf montgom240 sersolution jamie1 starman
        proxy swords nikolay bacardi rasta badgirl rebecca1 wildman penny1 spaceman 1007 10101 logan1 hacked bulldog1
        helmet windsor buffy1 runescape trapper 123451 banane dbrnjh ripken 12345qwe frisky shun fester oasis lightning
        ib6ub9 cicero kool pony thedog 784512 01011992 megatron illusion edward1 napster 11223 squash roadking woohoo
        19411945 hoosiers 01091989 tracker bagira midway leavemealone br549 14725836 235689 menace rachel1 feng laser
        stoned realmadrid 787898 balloons tinkerbell 5551212 maria1 pobeda heineken sonics moonlight optimus comet
        orchid 02071982 jaybird kashmir 12345678a chuang chunky peach mortgage rulezzz saleen chuckie zippy fishing1
        gsxr750 doghouse maxim reader shai buddah benfica chou salomon meister eraser blackbir bigmike starter pissing
        angus deluxe eagles1 hardcock 135792468 mian seahawks godfathe bookworm gregor intel talisman blackjack babyface
        hawaiian dogfood zhong 01011975 sancho ludmila medusa mortimer 123456654321 roadrunn just4me stalin 01011993
        handyman alphabet pizzas calgary clouds password2 cgfhnfr f**k cubswin gong lexus max123 xxx123 digital1 gfhjkm1
        7779311 missy1 michae beautifu gator1 1005 pacers buddie chinook heckfy dutchess sally1 breasts beowulf darkman
        jenn tiffany1 zhei quan qazwsx1 satana shang idontkno smiths puddin nasty1 teddybea valkyrie passwd chao boxster
        killers yoda cheater inuyasha beast1 wareagle foryou dragonball mermaid bhbirf teddy1 dolphin1 misty1 delphi
        gromit sponge qazzaq fytxrf gameover diao sergi beamer beemer kittykat rancid manowar adam12 diggler assword
        austin1 wishbone gonavy sparky1 fisting thedude sinister 1213 venera novell salsero jayden fuckoff1 linda1
        vedder 02021987 1pussy redline lust jktymrf 02011985 dfcbkbq dragon12 chrome gamecube titten cong bella1 leng
        02081988 eureka bitchass 147369 banner lakota 123321a mustafa preacher hotbox 02041986 z1x2c3v4 playstation
        01011977 claymore electra checkers zheng qing armagedon 02051986 wrestle svoboda bulls nimbus alenka madina
        newpass6 onetime aa123456 bartman 02091987 silverad electron 12345t devil666 oliver1 skylar rhtdtlrj gobucks
        johann 12011987 milkman 02101985 camper thunderb bigbutt jammin davide cheeks goaway lighter claudi thumbs
        pissoff ghostrider cocaine teng squall lotus hootie blackout doitnow subzero 02031986 marine1 02021988 pothead
        123456qw skate 1369 peng antoni neng miao bcfields 1492 marika 794613 musashi tulips nong piao chai ruan
        southpar 02061985 nude mandarin 654123 ninjas cannabis jetski xerxes zhuang kleopatra dickie bilbo pinky morgan1
        1020 1017 dieter baseball1 tottenham quest yfnfkmz dirtbike 1234567890a mango jackson5 ipswich iamgod 02011987
        tdutybz modena qiao slippery qweasd123 bluefish samtron toon 111333 iscool 02091986 petrov fuzzy zhou 1357924680
        mollydog deng 02021986 1236987 pheonix zhun ghblehjr othello starcraf 000111 sanfran a11111 cameltoe badman
        vasilisa jiang 1qaz2ws luan sveta 12qw12 akira chuai 369963 cheech beatle pickup paloma 01011983 caravan
        elizaveta gawker banzai pussey mullet seng bingo1 bearcat flexible farscape borussia zhuai templar guitar1
        toolman yfcntymrf chloe1 xiang slave1 guai nuggets 02081984 mantis slim scorpio1 fyutkbyf thedoors 02081987
        02061986 123qq123 zappa fergie 7ugd5hip2j huai asdfzxcv sunflower pussyman deadpool bigtit 01011982 love12
        lassie skyler gatorade carpedie jockey mancity spectre 02021984 cameron1 artemka reng 02031984 iomega jing
        moritz spice rhino spinner heater zhai hover talon grease qiong corleone ltybcrf tian cowboy1 hippie chimera
        ting alex123 02021985 mickey1 corsair sonoma aaron1 xxxpass bacchus webmaste chuo xyz123 chrysler spurs1 artem
        shei cosmic 01020304 deutsch gabriel1 123455 oceans 987456321 binladen latinas a12345678 speedo buttercu
        02081989 21031988 merlot millwall ceng kotaku jiong dragonba 2580 stonecold snuffy 01011999 02011986 hellos
        blaze maggie1 slapper istanbul bonjovi babylove mazda bullfrog phoeni meng porsche1 nomore 02061989 bobdylan
        capslock orion1 zaraza teddybear ntktajy myname rong wraith mets niao 02041984 smokie chevrolet dialog
        gfhjkmgfhjkm dotcom vadim monarch athlon mikey1 hamish pian liang coolness chui thoma ramones ciccio chippy
        eddie1 house1 ning marker cougars jackpot barbados reds pdtplf knockers cobalt amateurs dipshit napoli kilroy
        pulsar jayhawks daemon alexey weng shuang 9293709b13 shiner eldorado soulmate mclaren golfer1 andromed duan
        50spanks sexyboy dogshit 02021983 shuo kakashka syzygy 111111a yeahbaby qiang netscape fulham 120676 gooner zhui
        rainbow6 laurent dog123 halifax freeway carlitos 147963 eastwood microphone monkey12 1123 persik coldbeer geng
        nuan danny1 fgtkmcby entropy gadget just4fun sophi baggio carlito 1234567891 02021989 02041983 specialk piramida
        suan bigblue salasana hopeful mephisto bailey1 hack annie1 generic violetta spencer1 arcadia 02051983 hondas
        9562876 trainer jones1 smashing liao 159632 iceberg rebel1 snooker temp123 zang matteo fastball q2w3e4r5 bamboo
        fuckyo shutup astro buddyboy nikitos redbird maxxxx shitface 02031987 kuai kissmyass sahara radiohea 1234asdf
        wildcard maxwell1 patric plasma heynow bruno1 shao bigfish misfits sassy1 sheng 02011988 02081986 testpass
        nanook cygnus licking slavik pringles xing 1022 ninja1 submit dundee tiburon pinkfloyd yummy shuai guang chopin
        obelix insomnia stroker 1a2s3d4f 1223 playboy1 lazarus jorda spider1 homerj sleeper 02041982 darklord cang
        02041988 02041987 tripod magician jelly telephon 15975 vsjasnel12 pasword iverson3 pavlov homeboy gamecock amigo
        brodie budapest yjdsqgfhjkm reckless 02011980 pang tiger123 2469 mason1 orient 01011979 zong cdtnbr maksimka
        1011 bushido taxman giorgio sphinx kazantip 02101984 concorde verizon lovebug georg sam123 seadoo qazwsxedc123
        jiao jezebel pharmacy abnormal jellybea maxime puffy islander bunnies jiggaman drakon 010180 pluto zhjckfd 12365
        classics crusher mordor hooligan strawberry 02081985 scrabble hawaii50 1224 wg8e3wjf cthtuf premium arrow
        123456qwe mazda626 ramrod tootie rhjrjlbk ghost1 1211 bounty niang 02071984 goat killer12 sweetnes porno1
        masamune 426hemi corolla mariposa hjccbz doomsday bummer blue12 zhao bird33 excalibur samsun kirsty buttfuck
        kfhbcf zhuo marcello ozzy 02021982 dynamite 655321 master12 123465 lollypop stepan 1qa2ws spiker goirish callum
        michael2 moonbeam attila henry1 lindros andrea1 sporty lantern 12365478 nextel violin volcom 998877 water1
        imation inspiron dynamo citadel placebo clowns tiao 02061988 tripper dabears haggis merlin1 02031985 anthrax
        amerika iloveme vsegda burrito bombers snowboard forsaken katarina a1a2a3 woofer tigger2 fullmoon tiger2 spock
        hannah1 snoopy1 sexxxy sausages stanislav cobain robotics exotic green123 mobydick senators pumpkins fergus
        asddsa 147741 258852 windsurf reddevil vfitymrf nevermind nang woodland 4417 mick shui q1q2q3 wingman 69696
        superb zuan ganesh pecker zephyr anastasiya icu812 larry1 02081982 broker zalupa mihail vfibyf dogger 7007
        paddle varvara schalke 1z2x3c presiden yankees2 tuning poopy 02051982 concord vanguard stiffy rjhjktdf felix1
        wrench firewall boxer bubba69 popper 02011984 temppass gobears cuan tipper fuckme1 kamila thong puss bigcat
        drummer1 02031982 sowhat digimon tigers1 rang jingle bian uranus soprano mandy1 dusty1 fandango aloha pumpkin1
        postman 02061980 dogcat bombay pussy123 onetwo highheel pippo julie1 laura1 pepito beng smokey1 stylus stratus
        reload duckie karen1 jimbo1 225588 369258 krusty snappy asdf12 electro 111qqq kuang fishin clit abstr christma
        qqqqq1 1234560 carnage guyver boxers kittens zeng 1000000 qwerty11 toaster cramps yugioh 02061987 icehouse
        zxcvbnm123 pineapple namaste harrypotter mygirl falcon1 earnhard fender1 spikes nutmeg 01081989 dogboy 02091983
        369852 softail mypassword prowler bigboss 1112 harvest heng jubilee killjoy basset keng zaqxswcde redsox1 biao
        titan misfit99 robot wifey kidrock 02101987 gameboy enrico 1z2x3c4v broncos1 arrows havana banger cookie1 chriss
        123qw platypus cindy1 lumber pinball foxy london1 1023 05051987 02041985 password12 superma longbow radiohead
        nigga 12051988 spongebo qwert12345 abrakadabra dodgers1 02101989 chillin niceguy pistons hookup santafe bigben
        jets 1013 vikings1 mankind viktoriya beardog hammer1 02071980 reddwarf magelan longjohn jennife gilles carmex2
        02071987 stasik bumper doofus slamdunk pixies garion steffi alessandro beerman niceass warrior1 honolulu
        134679852 visa johndeer mother1 windmill boozer oatmeal aptiva busty delight tasty slick1 bergkamp badgers
        guitars puffin 02091981 nikki1 irishman miller1 zildjian 123000 airwolf magnet anai install 02041981 02061983
        astra romans megan1 mudvayne freebird muscles dogbert 02091980 02091984 snowflak 01011900 mang joseph1 nygiants
        playstat junior1 vjcrdf qwer12 webhompas giraffe pelican jefferso comanche bruiser monkeybo kjkszpj 123456l
        micro albany 02051987 angel123 epsilon aladin death666 hounddog josephin altima chilly 02071988 78945 ultra
        02041979 gasman thisisit pavel idunno kimmie 05051985 paulie ballin medion moondog manolo pallmall climber
        fishbone genesis1 153624 toffee tbone clippers krypton jerry1 picturs compass 111111q 02051988 1121 02081977
        sairam getout 333777 cobras 22041987 bigblock severin booster norwich whiteout ctrhtn 123456m 02061984 hewlett
        shocker fuckinside 02031981 chase1 white1 versace 123456789s basebal iloveyou2 bluebell 08031986 anthon stubby
        foreve undertak werder saiyan mama123 medic chipmunk mike123 mazdarx7 qwe123qwe bowwow kjrjvjnbd celeb choochoo
        demo lovelife 02051984 colnago lithium 02051989 15051981 zzzxxx welcom anastasi fidelio franc 26061987 roadster
        stone55 drifter hookem hellboy 1234qw cbr900rr sinned good123654 storm1 gypsy zebra zachary1 toejam buceta
        02021979 testing1 redfox lineage mike1 highbury koroleva nathan1 washingt 02061982 02091985 vintage redbaron
        dalshe mykids 11051987 macbeth julien james123 krasotka 111000 10011986 987123 pipeline tatarin sensei codered
        komodo frogman 7894561230 nascar24 juicy 01031988 redrose mydick pigeon tkbpfdtnf smirnoff 1215 spam winner1
        flyfish moskva 81fukkc 21031987 olesya starligh summer99 13041988 fishhead freesex super12 06061986 azazel
        scoobydoo 02021981 cabron yogibear sheba1 konstantin tranny chilli terminat ghbywtccf slowhand soccer12 cricket1
        fuckhead 1002 seagull achtung blam bigbob bdsm nostromo survivor cnfybckfd lemonade boomer1 rainbow1 rober
        irinka cocksuck peaches1 itsme sugar1 zodiac upyours dinara 135791 sunny1 chiara johnson1 02041989 solitude
        habibi sushi markiz smoke1 rockies catwoman johnny1 qwerty7 bearcats username 01011978 wanderer ohshit 02101986
        sigma stephen1 paradigm 02011989 flanker sanity jsbach spotty bologna fantasia chevys borabora cocker 74108520
        123ewq 12021988 01061990 gtnhjdbx 02071981 01011960 sundevil 3000gt mustang6 gagging maggi armstron yfnfkb
        13041987 revolver 02021976 trouble1 madcat jeremy1 jackass1 volkswag 30051985 corndog pool6123 marines1 03041991
        pizza1 piggy sissy 02031979 sunfire angelus undead 24061986 14061991 wildbill shinobi 45m2do5bs 123qwer 21011989
        cleopatr lasvega hornets amorcit 11081989 coventry nirvana1 destin sidekick 20061988 02081983 gbhfvblf sneaky
        bmw325 22021989 nfytxrf sekret kalina zanzibar hotone qazws wasabi heidi1 highlander blues1 hitachi paolo
        23041987 slayer1 simba1 02011981 tinkerbe kieran 01121986 172839 boiler 1125 bluesman waffle asdfgh01 threesom
        conan 1102 reflex 18011987 nautilus everlast fatty vader1 01071986 cyborg ghbdtn123 birddog rubble 02071983
        suckers 02021973 skyhawk 12qw12qw dakota1 joebob nokia6233 woodie longdong lamer troll ghjcnjgfhjkm 420000
        boating nitro armada messiah 1031 penguin1 02091989 americ 02071989 redeye asdqwe123 07071987 monty1 goten
        spikey sonata 635241 tokiohotel sonyericsson citroen compaq1 1812 umpire belmont jonny pantera1 nudes palmtree
        14111986 fenway bighead razor gryphon andyod22 aaaaa1 taco 10031988 enterme malachi dogface reptile 01041985
        dindom handball marseille candy1 19101987 torino tigge matthias viewsoni 13031987 stinker evangelion 24011985
        123456123 rampage sandrine 02081980 thecrow astral 28041987 sprinter private1 seabee shibby 02101988 25081988
        fearless junkie 01091987 aramis antelope draven fuck1 mazda6 eggman 02021990 barselona buddy123 19061987
        fyfnjkbq nancy1 12121990 10071987 sluggo kille hotties irishka zxcasdqwe123 shamus fairlane honeybee soccer10
        13061986 fantomas 17051988 10051987 20111986 gladiato karachi gambler gordo 01011995 biatch matthe 25800852
        papito excite buffalo1 bobdole cheshire player1 28021992 thewho 10101986 pinky1 mentor tomahawk brown1 03041986
        bismillah bigpoppa ijrjkfl 01121988 runaway 08121986 skibum studman helper squeak holycow manfred harlem glock
        gideon 987321 14021985 yellow1 wizard1 margarit success1 medved sf49ers lambda pasadena johngalt quasar 1776
        02031980 coldplay amand playa bigpimp 04041991 capricorn elefant sweetness bruce1 luca dominik 10011990 biker
        09051945 datsun elcamino trinitro malice audi voyager1 02101983 joe123 carpente spartan1 mario1 glamour diaper
        12121985 22011988 winter1 asimov callisto nikolai pebble 02101981 vendetta david123 boytoy 11061985 02031989
        iloveyou1 stupid1 cayman casper1 zippo yamahar1 wildwood foxylady calibra 02041980 27061988 dungeon leedsutd
        30041986 11051990 bestbuy antares dominion 24680 01061986 skillet enforcer derparol 01041988 196969 29071983
        f00tball purple1 mingus 25031987 21031990 remingto giggles klaste 3x7pxr 01011994 coolcat 29051989 megane
        20031987 02051980 04041988 synergy 0000007 macman iforget adgjmp vjqgfhjkm 28011987 rfvfcenhf 16051989 25121987
        16051987 rogue mamamia 08051990 20091991 1210 carnival bolitas paris1 dmitriy dimas 05051989 papillon knuckles
        29011985 hola tophat 28021990 100500 cutiepie devo 415263 ducks ghjuhfvvf asdqwe 22021986 freefall parol
        02011983 zarina buste vitamin warez bigones 17061988 baritone jamess twiggy mischief bitchy hetfield 1003
        dontknow grinch sasha_007 18061990 12031985 12031987 calimero 224466 letmei 15011987 acmilan alexandre 02031977
        08081988 whiteboy 21051991 barney1 02071978 money123 18091985 bigdawg 02031988 cygnusx1 zoloto 31011987 firefigh
        blowfish screamer lfybbk 20051988 chelse 11121986 01031989 harddick sexylady 30031988 02041974 auditt pizdec
        kojak kfgjxrf 20091988 123456ru wp2003wp 1204 15051990 slugger kordell1 03031986 swinging 01011974 02071979
        rockie dimples 1234123 1dragon trucking rusty2 roger1 marijuana kerouac 02051978 08031985 paco thecure keepout
        kernel noname123 13121985 francisc bozo 02011982 22071986 02101979 obsidian 12345qw spud tabasco 02051985
        jaguars dfktynby kokomo popova notused sevens 4200 magneto 02051976 roswell 15101986 21101986 lakeside bigbang
        aspen little1 14021986 loki suckmydick strawber carlos1 nokian73 dirty1 joshu 25091987 16121987 02041975 advent
        17011987 slimshady whistler 10101990 stryker 22031984 15021985 01031985 blueball 26031988 ksusha bahamut robocop
        w_pass chris123 impreza prozac bookie bricks 13021990 alice1 cassandr 11111q john123 4ever korova 02051973
        142857 25041988 paramedi eclipse1 salope 07091990 1124 darkangel 23021986 999666 nomad 02051981 smackdow
        01021990 yoyoma argentin moonligh 57chevy bootys hardone capricor galant spanker dkflbr 24111989 magpies krolik
        21051988 cevthrb cheddar 22041988 bigbooty scuba1 qwedsa duffman bukkake acura johncena sexxy p@ssw0rd 258369
        cherries 12345s asgard leopold fuck123 mopar lalakers dogpound matrix1 crusty spanner kestrel fenris universa
        peachy assasin lemmein eggplant hejsan canucks wendy1 doggy1 aikman tupac turnip godlike fussball golden1
        19283746 april1 django petrova captain1 vincent1 ratman taekwondo chocha serpent perfect1 capetown vampir amore
        gymnast timeout nbvjatq blue32 ksenia k.lvbkf nazgul budweiser clutch mariya sylveste 02051972 beaker cartman1
        q11111 sexxx forever1 loser1 marseill magellan vehpbr sexgod jktxrf hallo123 132456 liverpool1 southpaw seneca
        camden 357159 camero tenchi johndoe 145236 roofer 741963 vlad 02041978 fktyrf zxcv123 wingnut wolfpac notebook
        pufunga7782 brandy1 biteme1 goodgirl redhat 02031978 challeng millenium hoops maveric noname angus1 gaell onion
        olympus sabrina1 ricard sixpack gratis gagged camaross hotgirls flasher 02051977 bubba123 goldfing moonshin
        gerrard volkov sonyfuck mandrake 258963 tracer lakers1 asians susan1 money12 helmut boater diablo2 1234zxcv
        dogwood bubbles1 happy2 randy1 aries beach1 marcius2 navigator goodie hellokitty fkbyjxrf earthlink lookout
        jumbo opendoor stanley1 marie1 12345m 07071977 ashle wormix murzik 02081976 lakewood bluejays loveya commande
        gateway2 peppe 01011976 7896321 goth oreo slammer rasmus faith1 knight1 stone1 redskin ironmaiden gotmilk
        destiny1 dejavu 1master midnite timosha espresso delfin toriamos oberon ceasar markie 1a2s3d ghhh47hj7649 vjkjrj
        daddyo dougie disco auggie lekker therock1 ou8123 start1 noway p4ssw0rd shadow12 333444 saigon 2fast4u capecod
        23skidoo qazxcv beater bremen aaasss roadrunner peace1 12345qwer 02071975 platon bordeaux vbkfirf 135798642
        test12 supernov beatles1 qwert40 optimist vanessa1 prince1 ilovegod nightwish natasha1 alchemy bimbo blue99
        patches1 gsxr1000 richar hattrick hott solaris proton nevets enternow beavis1 amigos 159357a ambers lenochka
        147896 suckdick shag intercourse blue1234 spiral 02061977 tosser ilove 02031975 cowgirl canuck q2w3e4 munch
        spoons waterboy 123567 evgeniy savior zasada redcar mamacita terefon globus doggies htubcnhfwbz 1008 cuervo
        suslik azertyui limewire houston1 stratfor steaua coors tennis1 12345qwerty stigmata derf klondike patrici
        marijuan hardball odyssey nineinch boston1 pass1 beezer sandr charon power123 a1234 vauxhall 875421 awesome1
        reggae boulder funstuff iriska krokodil rfntymrf sterva champ1 bball peeper m123456 toolbox cabernet sheepdog
        magic32 pigpen 02041977 holein1 lhfrjy banan dabomb natalie1 jennaj montana1 joecool funky steven1 ringo junio
        sammy123 qqqwww baltimor footjob geezer 357951 mash4077 cashmone pancake monic grandam bongo yessir gocubs
        nastia vancouve barley dragon69 watford ilikepie 02071976 laddie 123456789m hairball toonarmy pimpdadd cvthnm
        hunte davinci lback sophie1 firenze q1234567 admin1 bonanza elway7 daman strap azert wxcvbn afrika theforce
        123456t idefix wolfen houdini scheisse default beech maserati 02061976 sigmachi dylan1 bigdicks eskimo mizzou
        02101976 riccardo egghead 111777 kronos ghbrjk chaos1 jomama rfhnjirf rodeo dolemite cafc91 nittany pathfind
        mikael password9 vqsablpzla purpl gabber modelsne myxworld hellsing punker rocknrol fishon fuck69 02041976 lolol
        twinkie tripleh cirrus redbone killer123 biggun allegro gthcbr smith1 wanking bootsy barry1 mohawk koolaid 5329
        futurama samoht klizma 996633 lobo honeys peanut1 556677 zxasqw joemama javelin samm 223322 sandra1 flicks
        montag nataly 3006 tasha1 1235789 dogbone poker1 p0o9i8u7 goodday smoothie toocool max333 metroid archange
        vagabond billabon 22061941 tyson1 02031973 darkange skateboard evolutio morrowind wizards frodo1 rockin cumslut
        plastics zaqwsxcde 5201314 doit outback bumble dominiqu persona nevermore alinka 02021971 forgetit sexo all4one
        c2h5oh petunia sheeba kenny1 elisabet aolsucks woodstoc pumper 02011975 fabio granada scrapper 123459 minimoni
        q123456789 breaker 1004 02091976 ncc74656 slimshad friendster austin31 wiseguy donner dilbert1 132465 blackbird
        buffet jellybean barfly behappy 01011971 carebear fireblad 02051975 boxcar cheeky kiteboy hello12 panda1 elvisp
        opennow doktor alex12 02101977 pornking flamengo 02091975 snowbird lonesome robin1 11111a weed420 baracuda
        bleach 12345abc nokia1 metall singapor mariner herewego dingo tycoon cubs blunts proview 123456789d kamasutra
        lagnaf vipergts navyseal starwar masterbate wildone peterbil cucumber butkus 123qwert climax deniro gotribe
        cement scooby1 summer69 harrier shodan newyear 02091977 starwars1 romeo1 sedona harald doubled sasha123 bigguns
        salami awnyce kiwi homemade pimping azzer bradley1 warhamme linkin dudeman qwe321 pinnacle maxdog flipflop
        lfitymrf fucker1 acidburn esquire sperma fellatio jeepster thedon sexybitch pookey spliff widget vfntvfnbrf
        trinity1 mutant samuel1 meliss gohome 1q2q3q mercede comein grin cartoons paragon henrik rainyday pacino senna
        bigdog1 alleycat 12345qaz narnia mustang2 tanya1 gianni apollo11 wetter clovis escalade rainbows freddy1 smart1
        daisydog s123456 cocksucker pushkin lefty sambo fyutkjxtr hiziad boyz whiplash orchard newark adrenalin 1598753
        bootsie chelle trustme chewy golfgti tuscl ambrosia 5wr2i7h8 penetration shonuf jughead payday stickman gotham
        kolokol johnny5 kolbasa stang puppydog charisma gators1 mone jakarta draco nightmar 01011973 inlove laetitia
        02091973 tarpon nautica meadow 0192837465 luckyone 14881488 chessie goldeney tarakan 69camaro bungle wordup
        interne fuckme2 515000 dragonfl sprout 02081974 gerbil bandit1 02071971 melanie1 phialpha camber kathy1 adriano
        gonzo1 10293847 bigjohn bismarck 7777777a scamper 12348765 rabbits 222777 bynthytn dima123 alexander1 mallorca
        dragster favorite6 beethove burner cooper1 fosters hello2 normandy 777999 sebring 1michael lauren1 blake1 killa
        02091971 nounours trumpet1 thumper1 playball xantia rugby1 rocknroll guillaum angela1 strelok prosper buttercup
        masterp dbnfkbr cambridg venom treefrog lumina 1234566 supra sexybabe freee shen frogs driller pavement grace1
        dicky checker smackdown pandas cannibal asdffdsa blue42 zyjxrf nthvbyfnjh melrose neon jabber gamma 369258147
        aprilia atticus benessere catcher skipper1 azertyuiop sixty9 thierry treetop jello melons 123456789qwe tantra
        buzzer catnip bouncer computer1 sexyone ananas young1 olenka sexman mooses kittys sephiroth contra hallowee
        skylark sparkles 777333 1qazxsw23edc lucas1 q1w2e3r gofast hannes amethyst ploppy flower2 hotass amatory
        volleyba dixie1 bettyboo ticklish 02061974 frenchy phish1 murphy1 trustno 02061972 leinad mynameis spooge
        jupiter1 hyundai frosch junkmail abacab marbles 32167 casio sunshine1 wayne1 longhair caster snicker 02101973
        gannibal skinhead hansol gatsby segblue2 montecar plato gumby kaboom matty bosco1 888999 jazzy panter jesus123
        charlie2 giulia candyass sex69 travis1 farmboy special1 02041973 letsdoit password01 allison1 abcdefg1 notredam
        ilikeit 789654123 liberty1 rugger uptown alcatraz 123456w airman 007bond navajo kenobi terrier stayout grisha
        frankie1 fluff 1qazzaq1 1234561 virginie 1234568 tango1 werdna octopus fitter dfcbkbcf blacklab 115599 montrose
        allen1 supernova frederik ilovepussy justice1 radeon playboy2 blubber sliver swoosh motocros lockdown pearls
        thebear istheman pinetree biit 1234rewq rustydog tampabay titts babycake jehovah vampire1 streaming collie camil
        fidelity calvin1 stitch gatit restart puppy1 budgie grunt capitals hiking dreamcas zorro1 321678 riffraff makaka
        playmate napalm rollin amstel zxcvb123 samanth rumble fuckme69 jimmys 951357 pizzaman 1234567899 tralala
        delpiero alexi yamato itisme 1million vfndtq kahlua londo wonderboy carrots tazz ratboy rfgecnf 02081973 nico
        fujitsu tujhrf sergbest blobby 02051970 sonic1 1357911 smirnov video1 panhead bucky 02031974 44332211 duffer
        cashmoney left4dead bagpuss salman 01011972 titfuck 66613666 england1 malish dresden lemans darina zapper
        123456as 123456qqq met2002 02041972 redstar blue23 1234509876 pajero booyah please1 tetsuo semper finder hanuman
        sunlight 123456n 02061971 treble cupoi password99 dimitri 3ip76k2 popcorn1 lol12345 stellar nympho shark1 keith1
        saskia bigtruck revoluti rambo1 asd222 feelgood phat gogators bismark cola puck furball burnout slonik bowtie
        mommy1 icecube fabienn mouser papamama rolex giants1 blue11 trooper1 momdad iklo morten rhubarb gareth 123456d
        blitz canada1 r2d2 brest tigercat usmarine lilbit benny1 azrael lebowski 12345r madagaskar begemot loverman
        dragonballz italiano mazda3 naughty1 onions diver1 cyrano capcom asdfg123 forlife fisherman weare138 requiem
        mufasa alpha123 piercing hellas abracadabra duckman caracas macintos 02011971 jordan2 crescent fduecn hogtied
        eatmenow ramjet 18121812 kicksass whatthe discus rfhfvtkmrf rufus1 sqdwfe mantle vegitto trek dan123 paladin1
        rudeboy liliya lunchbox riversid acapulco libero dnsadm maison toomuch boobear hemlock sextoy pugsley misiek
        athome migue altoids marcin 123450 rhfcfdbwf jeter2 rhinos rjhjkm mercury1 ronaldinho shampoo makayla kamilla
        masterbating tennesse holger john1 matchbox hores poptart parlament goodyear asdfgh1 02081970 hardwood alain
        erection hfytnrb highlife implants benjami dipper jeeper bendover supersonic babybear laserjet gotenks bama
        natedogg aol123 pokemo rabbit1 raduga sopranos cashflow menthol pharao hacking 334455 ghjcnbnenrf lizzy muffin1
        pooky penis1 flyer gramma dipset becca ireland1 diana1 donjuan pong ziggy1 alterego simple1 cbr900 logger 111555
        claudia1 cantona7 matisse ljxtymrf victori harle mamas encore mangos iceman1 diamon alexxx tiamat 5000 desktop
        mafia smurf princesa shojou blueberr welkom maximka 123890 123q123 tammy1 bobmarley clips demon666 ismail
        termite laser1 missie altair donna1 bauhaus trinitron mogwai flyers88 juniper nokia5800 boroda jingles
        qwerasdfzxcv shakur 777666 legos mallrats 1qazxsw goldeneye tamerlan julia1 backbone spleen 49ers shady darkone
        medic1 justi giggle cloudy aisan douche parkour bluejay huskers1 redwine 1qw23er4 satchmo 1231234 nineball
        stewart1 ballsack probes kappa amiga flipper1 dortmund 963258 trigun 1237895 homepage blinky screwy gizzmo
        belkin chemist coolhand chachi braves1 thebest greedisgood pro100 banana1 101091m 123456g wonderfu barefeet
        8inches 1111qqqq kcchiefs qweasdzxc123 metal1 jennifer1 xian asdasd123 pollux cheerleaers fruity mustang5 turbos
        shopper photon espana hillbill oyster macaroni gigabyte jesper motown tuxedo buster12 triplex cyclones estrell
        mortis holla 456987 fiddle sapphic jurassic thebeast ghjcnjq baura spock1 metallica1 karaoke nemrac58 love1234
        02031970 flvbybcnhfnjh frisbee diva ajax feathers flower1 soccer11 allday mierda pearl1 amature marauder 333555
        redheads womans egorka godbless 159263 nimitz aaaa1111 sashka madcow socce greywolf baboon pimpdaddy 123456789r
        reloaded lancia rfhfylfi dicker placid grimace 22446688 olemiss whores culinary wannabe maxi 1234567aa amelie
        riley1 trample phantom1 baberuth bramble asdfqwer vides 4you abc123456 taichi aztnm smother outsider hakr
        blackhawk bigblack girlie spook valeriya gianluca freedo 1q2q3q4q handbag lavalamp cumm pertinant whatup
        nokia123 redlight patrik 111aaa poppy1 dfytxrf aviator sweeps kristin1 cypher elway yinyang access1 poophead
        tucson noles1 monterey waterfal dank dougal 918273 suede minnesot legman bukowski ganja mammoth riverrat asswipe
        daredevi lian arizona1 kamikadze alex1234 smile1 angel2 55bgates bellagio 0001 wanrltw stiletto lipton arsena
        biohazard bbking chappy tetris as123456 darthvad lilwayne nopassword 7412369 123456789987654321 natchez glitter
        14785236 mytime rubicon moto pyon wazzup tbird shane1 nightowl getoff beckham7 trueblue hotgirl nevermin
        deathnote 13131 taffy bigal copenhag apricot gallaries dtkjcbgtl totoro onlyone civicsi jesse1 baby123 sierra1
        festus abacus sickboy fishtank fungus charle golfpro teensex mario66 seaside aleksei rosewood blackberry
        1020304050 bedlam schumi deerhunt contour darkelf surveyor deltas pitchers 741258963 dipstick funny1 lizzard
        112233445566 jupiter2 softtail titman greenman z1x2c3v4b5 smartass 12345677 notnow myworld nascar1 chewbacc
        nosferatu downhill dallas22 kuan blazers whales soldat craving powerman yfcntyf hotrats cfvceyu qweasdzx
        princess1 feline qqwwee chitown 1234qaz mastermind 114477 dingbat care1839 standby kismet atreides dogmeat
        icarus monkeyboy alex1 mouses nicetits sealteam chopper1 crispy winter99 rrpass1 myporn myspace1 corazo topolino
        ass123 lawman muffy orgy 1love passord hooyah ekmzyf pretzel amonra nestle 01011950 jimbeam happyman z12345
        stonewal helios manunited harcore dick1 gaymen 2hot4u light1 qwerty13 kakashi pjkjnj alcatel taylo allah
        buddydog ltkmaby mongo blonds start123 audia6 123456v civilwar bellaco turtles mustan deadspin aaa123 fynjirf
        lucky123 tortoise amor summe waterski zulu drag0n dtxyjcnm gizmos strife interacial pusyy goose1 bear1 equinox
        matri jaguar1 tobydog sammys nachos traktor bryan1 morgoth 444555 dasani miami1 mashka xxxxxx1 ownage nightwin
        hotlips passmast cool123 skolko eldiablo manu 1357908642 screwyou badabing foreplay hydro kubrick seductive
        demon1 comeon galileo aladdin metoo happines 902100 mizuno caddy bizzare girls1 redone ohmygod sable bonovox
        girlies hamper opus gizmodo1 aaabbb pizzahut 999888 rocky2 anton1 kikimora peavey ocelot a1a2a3a4 2wsx3edc
        jackie1 solace sprocket galary chuck1 volvo1 shurik poop123 locutus virago wdtnjxtr tequier bisexual doodles
        makeitso fishy 789632145 nothing1 fishcake sentry libertad oaktree fivestar adidas1 vegitta mississi spiffy
        carme neutron vantage agassi boners 123456789v hilltop taipan barrage kenneth1 fister martian willem lfybkf
        bluestar moonman ntktdbpjh paperino bikers daffy benji quake dragonfly suckcock danilka lapochka belinea calypso
        asshol camero1 abraxas mike1234 womam q1q2q3q4q5 youknow maxpower pic's audi80 sonora raymond1 tickler tadpole
        belair crazyman finalfantasy 999000 jonatha paisley kissmyas morgana monste mantra spunk magic123 jonesy mark1
        alessand 741258 baddest ghbdtnrfrltkf zxccxz tictac augustin racers 7grout foxfire 99762000 openit nathanie
        1z2x3c4v5b seadog gangbanged lovehate hondacbr harpoon mamochka fisherma bismilla locust wally1 spiderman1
        saffron utjhubq 123456987 20spanks safeway pisser bdfyjd kristen1 bigdick1 magenta vfhujif anfisa friday13
        qaz123wsx 0987654321q tyrant guan meggie kontol nurlan ayanami rocket1 yaroslav websol76 mutley hugoboss
        websolutions elpaso gagarin badboys sephirot 918273645 newuser qian edcrfv booger1 852258 lockout timoxa94
        mazda323 firedog sokolova skydiver jesus777 1234567890z soulfly canary malinka guillerm hookers dogfart surfer1
        osprey india123 rhjkbr stoppedby nokia5530 123456789o blue1 werter divers 3000 123456f alpina cali whoknows
        godspeed 986532 foreskin fuzzy1 heyyou didier slapnuts fresno rosebud1 sandman1 bears1 blade1 honeybun queen1
        baronn pakista philipp 9111961 topsecret sniper1 214365 slipper letsfuck pippen33 godawgs mousey qw123456
        scrotum loveis lighthou bp2002 nancy123 jeffrey1 susieq buddy2 ralphie trout1 willi antonov sluttey rehbwf
        marty1 darian losangeles letme1n 12345d pusssy godiva ender golfnut leonidas a1b2c3d4e5 puffer general1 wizzard
        lehjxrf racer1 bigbucks cool12 buddys zinger esprit vbienrf josep tickling froggie 987654321a 895623 daddys
        crumbs gucci mikkel opiate tracy1 christophe came11 777555 petrovich humbug dirtydog allstate horatio wachtwoord
        creepers squirts rotary bigd georgia1 fujifilm 2sweet dasha yorkie slimjim wiccan kenzie system1 skunk b12345
        getit pommes daredevil sugars bucker piston lionheart 1bitch 515051 catfight recon icecold fantom vodafone
        kontakt boris1 vfcnth canine 01011961 valleywa faraon chickenwing101 qq123456 livewire livelife roosters jeepers
        ilya1234 coochie pavlik dewalt dfhdfhf architec blackops 1qaz2wsx3edc4rfv rhfcjnf wsxedc teaser sebora 25252
        rhino1 ankara swifty decimal redleg shanno nermal candies smirnova dragon01 photo1 ranetki a1s2d3f4g5 axio
        wertzu maurizio 6uldv8 zxcvasdf punkass flowe graywolf peddler 3rjs1la7qe mpegs seawolf ladyboy pianos piggies
        vixen alexus orpheus gdtrfb z123456 macgyver hugetits ralph1 flathead maurici mailru goofball nissan1 nikon
        stopit odin big1 smooch reboot famil bullit anthony7 gerhard methos 124038 morena eagle2 jessica2 zebras getlost
        gfynthf 123581321 sarajevo indon comets tatjana rfgbnjirf joystick batman12 123456c sabre beerme victory1
        kitties 1475369 badboy1 booboo1 comcast slava squid saxophon lionhear qaywsx bustle nastena roadway loader
        hillside starlight 24681012 niggers access99 bazooka molly123 blackice bandi cocacol nfhfrfy timur muschi horse1
        quant4307s squerting oscars mygirls flashman tangerin goofy1 p0o9i8 housewifes newness monkey69 escorpio
        password11 hippo warcraft3 qazxsw123 qpalzm ribbit ghbdtndctv bogota star123 258000 lincoln1 bigjim lacoste
        firestorm legenda indain ludacris milamber 1009 evangeli letmesee a111111 hooters1 bigred1 shaker husky a4tech
        cnfkrth argyle rjhjdf nataha 0o9i8u7y gibson1 sooners1 glendale archery hoochie stooge aaaaaa1 scorpions school1
        vegas1 rapier mike23 bassoon groupd2013 macaco baker1 labia freewill santiag silverado butch1 vflfufcrfh monica1
        rugrat cornhole aerosmit bionicle gfgfvfvf daniel12 virgo fmale favorite2 detroit1 pokey shredder baggies
        wednesda cosmo1 mimosa sparhawk firehawk romario 911turbo funtimes fhntvrf nexus6 159753456 timothy1 bajingan
        terry1 frenchie raiden 1mustang babemagnet 74123698 nadejda truffles rapture douglas1 lamborghini motocross
        rjcvjc 748596 skeeter1 dante1 angel666 telecom carsten pietro bmw318 astro1 carpediem samir orang helium
        scirocco fuzzball rushmore rebelz hotspur lacrimosa chevys10 madonna1 domenico yfnfirf jachin shelby1 bloke
        dawgs dunhill atlanta1 service1 mikado devilman angelit reznor euphoria lesbain checkmat browndog phreak blaze1
        crash1 farida mutter luckyme horsemen vgirl jediknig asdas cesare allnight rockey starlite truck1 passfan
        close-up samue cazzo wrinkles homely eatme1 sexpot snapshot dima1995 asthma thetruth ducky blender priyanka
        gaucho dutchman sizzle kakarot 651550 passcode justinbieber 666333 elodie sanjay 110442 alex01 lotus1 2300mj
        lakshmi zoomer quake3 12349876 teapot 12345687 ramada pennywis striper pilot1 chingon optima nudity ethan1
        euclid beeline loyola biguns zaq12345 bravo1 disney1 buffa assmunch vivid 6661313 wellingt aqwzsx madala11
        9874123 sigmar pictere tiptop bettyboop dinero tahiti gregory1 bionic speed1 fubar1 lexus1 denis1 hawthorn
        saxman suntzu bernhard dominika camaro1 hunter12 balboa bmw2002 seville diablo1 vfhbyjxrf 1234abc carling
        lockerroom punani darth baron1 vaness 1password libido picher 232425 karamba futyn007 daydream 11001001
        dragon123 friends1 bopper rocky123 chooch asslover shimmer riddler openme tugboat sexy123 midori gulnara christo
        swatch laker offroad puddles hackers mannheim manager1 horseman roman1 dancer1 komputer pictuers nokia5130
        ejaculation lioness 123456y evilone nastenka pushok javie lilman 3141592 mjolnir toulouse pussy2 bigworm
        smoke420 fullback extensa dreamcast belize delboy willie1 casablanca csyjxtr ricky1 bonghit salvator basher
        pussylover rosie1 963258741 vivitron cobra427 meonly armageddon myfriend zardoz qwedsazxc kraken fzappa starfox
        333999 illmatic capoeira weenie ramzes freedom2 toasty pupkin shinigami fhvfutljy nocturne churchil thumbnils
        tailgate neworder sexymama goarmy cerebus michelle1 vbifyz surfsup earthlin dabulls basketbal aligator mojojojo
        saibaba welcome2 wifes wdtnjr 12345w slasher papabear terran footman hocke 153759 texans tom123 sfgiants
        billabong aassdd monolith xxx777 l3tm31n ticktock newone hellno japanees contortionist admin123 scout1 alabama1
        divx1 rochard privat radar1 bigdad fhctybq tortuga citrus avanti fantasy1 woodstock s12345 fireman1 embalmer
        woodwork bonzai konyor newstart jigga panorama goats smithy rugrats hotmama daedalus nonstop fruitbat lisenok
        quaker violator 12345123 my3sons cajun fraggle gayboy oldfart vulva knickerless orgasms undertow binky litle
        kfcnjxrf masturbation bunnie alexis1 planner transexual sparty leeloo monies fozzie stinger1 landrove anakonda
        scoobie yamaha1 henti star12 rfhlbyfk beyonce catfood cjytxrf zealots strat fordtruc archangel silvi sativa
        boogers miles1 bigjoe tulip petite greentea shitter jonboy voltron morticia evanescence 3edc4rfv longshot
        windows1 serge aabbcc starbucks sinful drywall prelude1 www123 camel1 homebrew marlins 123412 letmeinn domini
        swampy plokij fordf350 webcam michele1 bolivi 27731828 wingzero qawsedrftg shinji sverige jasper1 piper1 cummer
        iiyama gocats amour alfarome jumanji mike69 fantasti 1monkey w00t88 shawn1 lorien 1a2s3d4f5g koleso murph
        natascha sunkist kennwort emine grinder m12345 q1q2q3q4 cheeba money2 qazwsxedc1 diamante prosto pdiddy stinky1
        gabby1 luckys franci pornographic moochie gfhjdjp samdog empire1 comicbookdb emili motdepasse iphone braveheart
        reeses nebula sanjose bubba2 kickflip arcangel superbow porsche911 xyzzy nigger1 dagobert devil1 alatam monkey2
        barbara1 12345v vfpfafrf alessio babemagn aceman arrakis kavkaz 987789 jasons berserk sublime1 rogue1 myspace
        buckwhea csyekz pussy4me vette1 boots1 boingo arnaud budlite redstorm paramore becky1 imtheman chango marley1
        milkyway 666555 giveme mahalo lux2000 lucian paddy praxis shimano bigpenis creeper newproject2004 rammstei
        j3qq4h7h2v hfljcnm lambchop anthony2 bugman gfhjkm12 dreamer1 stooges cybersex diamant cowboyup maximus1 sentra
        615243 goethe manhatta fastcar selmer 1213141516 yfnfitymrf denni chewey yankee1 elektra 123456789p trousers
        fishface topspin orwell vorona sodapop motherfu ibilltes forall kookie ronald1 balrog maximilian mypasswo sonny1
        zzxxcc tkfkdg magoo mdogg heeled gitara lesbos marajade tippy morozova enter123 lesbean pounded asd456 fialka
        scarab sharpie spanky1 gstring sachin 12345asd princeto hellohel ursitesux billows 1234kekc kombat cashew
        duracell kseniya sevenof9 kostik arthur1 corvet07 rdfhnbhf songoku tiberian needforspeed 1qwert dropkick
        kevin123 panache libra a123456a kjiflm vfhnsirf cntgfy iamcool narut buffer sk8ordie urlaub fireblade blanked
        marishka gemini1 altec gorillaz chief1 revival47 ironman1 space1 ramstein doorknob devilmaycry nemesis1 sosiska
        pennstat monday1 pioner shevchenko detectiv evildead blessed1 aggie coffees tical scotts bullwink marsel krypto
        adrock rjitxrf asmodeus rapunzel theboys hotdogs deepthro maxpayne veronic fyyeirf otter cheste abbey1 thanos
        bedrock bartok google1 xxxzzz rodent montecarlo hernande mikayla 123456789l bravehea 12locked ltymub pegasus1
        ameteur saltydog faisal milfnew momsuck everques ytngfhjkz m0nkey businessbabe cooki custard 123456ab lbvjxrf
        outlaws 753357 qwerty78 udacha insider chees fuckmehard shotokan katya seahorse vtldtlm turtle1 mike12 beebop
        heathe everton1 darknes barnie rbcekz alisher toohot theduke 555222 reddog1 breezy bulldawg monkeyman baylee
        losangel mastermi apollo1 aurelie zxcvb12345 cayenne bastet wsxzaq geibcnbr yello fucmy69 redwall ladybird
        bitchs cccccc1 rktjgfnhf ghjdthrf quest1 oedipus linus impalass fartman 12345k fokker 159753a optiplex bbbbbb1
        realtor slipkno santacru rowdy jelena smeller 3984240 ddddd1 sexyme janet1 3698741 eatme69 cazzone today1
        poobear ignatius master123 newpass1 heather2 snoopdogg blondinka pass12 honeydew fuckthat 890098890 lovem
        goldrush gecko biker1 llama pendejo avalanche fremont snowman1 gandolf chowder 1a2b3c4d5e flyguy magadan 1fuck
        pingvin nokia5230 ab1234 lothar lasers bignuts renee1 royboy skynet 12340987 1122334 dragrace lovely1 22334455
        booter 12345612 corvett 123456qq capital1 videoes funtik wyvern flange sammydog hulkster 13245768 not4you vorlon
        omegared l58jkdjp! filippo 123mudar samadams petrus chris12 charlie123 123456789123 icetea sunderla adrian1
        123qweas kazanova aslan monkey123 fktyeirf goodsex 123ab lbtest banaan bluenose 837519 asd12345 waffenss whateve
        1a2a3a4a trailers vfhbirf bhbcrf klaatu turk182 monsoon beachbum sunbeam succes clyde1 viking1 rawhide bubblegum
        princ mackenzi hershey1 222555 dima55 niggaz manatee aquila anechka pamel bugsbunn lovel sestra newport1 althor
        hornyman wakeup zzz111 phishy cerber torrent thething solnishko babel buckeye1 peanu ethernet uncencored baraka
        665544 chris2 rb26dett willy1 choppers texaco biggirl 123456b anna2614 sukebe caralho callofduty rt6ytere jesus7
        angel12 1money timelord allblack pavlova romanov tequiero yitbos lookup bulls23 snowflake dickweed barks lever
        irisha firestar fred1234 ghjnjnbg danman gatito betty1 milhouse kbctyjr masterbaiting delsol papit doggys
        123698741 bdfyjdf invictus bloods kayla1 yourmama apple2 angelok bigboy1 pontiac1 verygood yeshua twins2 porn4me
        141516 rasta69 james2 bosshog candys adventur stripe djkjlz dokken austin316 skins hogwarts vbhevbh navigato
        desperado xxx666 cneltyn vasiliy hazmat daytek eightbal fred1 four20 74227422 fabia aerosmith manue wingchun
        boohoo hombre sanity72 goatboy fuckm partizan avrora utahjazz submarin pussyeat heinlein control1 costaric
        smarty chuan triplets snowy snafu teacher1 vangogh vandal evergree cochise qwerty99 pyramid1 saab900 sniffer
        qaz741 lebron23 mark123 wolvie blackbelt yoshi feeder janeway nutella fuking asscock deepak poppie bigshow
        housewife grils tonto cynthia1 temptress irakli belle1 russell1 manders frank123 seabass gforce songbird zippy1
        naught brenda1 chewy1 hotshit topaz 43046721 girfriend marinka jakester thatsme planeta falstaff patrizia reborn
        riptide cherry1 shuan nogard chino oasis1 qwaszx12 goodlife davis1 1911a1 harrys shitfuck 12345678900 russian7
        007700 bulls1 porshe danil dolphi river1 sabaka gobigred deborah1 volkswagen miamo alkaline muffdive 1letmein
        fkbyrf goodguy hallo1 nirvan ozzie cannonda cvbhyjdf marmite germany1 joeblow radio1 love11 raindrop 159852
        jacko newday fathead elvis123 caspe citibank sports1 deuce boxter fakepass golfman snowdog birthday4 nonmembe
        niklas parsifal krasota theshit 1235813 maganda nikita1 omicron cassie1 columbo buick sigma1 thistle bassin
        rickster apteka sienna skulls miamor coolgirl gravis 1qazxc virgini hunter2 akasha batma motorcyc bambino
        tenerife fordf250 zhuan iloveporn markiza hotbabes becool fynjybyf wapapapa forme mamont pizda dragonz sharon1
        scrooge mrbill pfloyd leeroy natedog ishmael 777111 tecumseh carajo nfy.irf 0000000000o blackcock fedorov
        antigone feanor novikova bobert peregrin spartan117 pumkin rayman manuals tooltime 555333 bonethug marina1
        bonnie1 tonyhawk laracroft mahalkita 18273645 terriers gamer hoser littlema molotok glennwei lemon1 caboose
        tater 12345654321 brians fritz1 mistral jigsaw fuckshit hornyguy southside edthom antonio1 bobmarle pitures
        ilikesex crafty nexus boarder fulcrum astonvil yanks1 yngwie account1 zooropa hotlegs sammi gumbo rover1 perkele
        maurolarastefy lampard 357753 barracud dmband abcxyz pathfinder 335577 yuliya micky jayman asdfg12345 1596321
        halcyon rerfhtre feniks zaxscd gotyoass jaycee samson1 jamesb vibrate grandpri camino colossus davidb mamo4ka
        nicky1 homer123 pinguin watermelon shadow01 lasttime glider 823762 helen1 pyramids tulane osama rostov john12
        scoote bhbyrf gohan galeries joyful bigpussy tonka mowgli astalavista zzz123 leafs dalejr8 unicorn1 777000
        primal bigmama okmijn killzone qaz12345 snookie zxcvvcxz davidc epson rockman ceaser beanbag katten 3151020
        duckhunt segreto matros ragnar 699669 sexsexse 123123z fuckyeah bigbutts gbcmrf element1 marketin saratov
        elbereth blaster1 yamahar6 grime masha juneau 1230123 pappy lindsay1 mooner seattle1 katzen lucent polly1
        lagwagon pixie misiaczek 666666a smokedog lakers24 eyeball ironhors ametuer volkodav vepsrf kimmy gumby1 poi098
        ovation 1q2w3 drinker penetrating summertime 1dallas prima modles takamine hardwork macintosh tahoe passthie
        chiks sundown flowers1 boromir music123 phaedrus albert1 joung malakas gulliver parker1 balder sonne jessie1
        domainlock2005 express1 vfkbyf youandme raketa koala dhjnvytyjub nhfrnjh testibil ybrbnjc 987654321q axeman
        pintail pokemon123 dogggg shandy thesaint 11122233 x72jhhu3z theclash raptors zappa1 djdjxrf hell666 friday1
        vivaldi pluto1 lance1 guesswho jeadmi corgan skillz skippy1 mango1 gymnastic satori 362514 theedge cxfcnkbdfz
        sparkey deicide bagels lololol lemmings r4e3w2q1 silve staind schnuffi dazzle basebal1 leroy1 bilbo1 luckie
        qwerty2 goodfell hermione peaceout davidoff yesterda killah flippy chrisb zelda1 headless muttley fuckof tittys
        catdaddy photog beeker reaver ram1500 yorktown bolero tryagain arman chicco learjet alexei jenna1 go2hell
        12s3t4p55 momsanaladventure mustang9 protoss rooter ginola dingo1 mojave erica1 1qazse4 marvin1 redwolf sunbird
        dangerou maciek girsl hawks1 packard1 excellen dashka soleda toonces acetate nacked jbond007 alligator debbie1
        wellhung monkeyma supers rigger larsson vaseline rjnzhf maripos 123456asd cbr600rr doggydog cronic jason123
        trekker flipmode druid sonyvaio dodges mayfair mystuff fun4me samanta sofiya magics 1ranger arcane sixtynin
        222444 omerta luscious gbyudby bobcats envision chance1 seaweed holdem tomate mensch slicer acura1 goochi qweewq
        punter repoman tomboy never1 cortina gomets 147896321 369852147 dogma bhjxrf loglatin eragon strato gazelle
        growler 885522 klaudia payton34 fuckem butchie scorpi lugano 123456789k nichola chipper1 spide uhbujhbq rsalinas
        vfylfhby longhorns bugatti everquest !qaz2wsx blackass 999111 snakeman p455w0rd fanatic family1 pfqxbr 777vlad
        mysecret marat phoenix2 october1 genghis panties1 cooker citron ace123 1234569 gramps blackcoc kodiak1 hickory
        ivanhoe blackboy escher sincity beaks meandyou spaniel canon1 timmy1 lancaste polaroid edinburg fuckedup hotman
        cueball golfclub gopack bookcase worldcup dkflbvbhjdbx twostep 17171717aa letsplay zolushka stella1 pfkegf
        kingtut 67camaro barracuda wiggles gjhjkm prancer patata kjifhf theman1 romanova sexyass copper1 dobber sokolov
        pomidor algernon cadman amoremio william2 silly1 bobbys hercule hd764nw5d7e1vb1 defcon deutschland robinhood
        alfalfa machoman lesbens pandora1 easypay tomservo nadezhda goonies saab9000 jordyn f15eagle dbrecz 12qwerty
        greatsex thrawn blunted baywatch doggystyle loloxx chevy2 january1 kodak bushel 78963214 ub6ib9 zz8807zpl briefs
        hawker 224488 first1 bonzo brent1 erasure 69213124 sidewind soccer13 622521 mentos kolibri onepiece united1
        ponyboy keksa12 wayer mypussy andrej mischa mille bruno123 garter bigpun talgat familia jazzy1 mustang8 newjob
        747400 bobber blackbel hatteras ginge asdfjkl; camelot1 blue44 rebbyt34 ebony1 vegas123 myboys aleksander
        ijrjkflrf lopata pilsner lotus123 m0nk3y andreev freiheit balls1 drjynfrnt mazda1 waterpolo shibumi 852963
        123bbb cezer121 blondie1 volkova rattler kleenex ben123 sanane happydog satellit qazplm qazwsxedcrfvtgb meowmix
        badguy facefuck spice1 blondy major1 25000 anna123 654321a sober1 deathrow patterso china1 naruto1 hawkeye1
        waldo1 butchy crayon 5tgb6yhn klopik crocodil mothra imhorny pookie1 splatter slippy lizard1 router buratino
        yahweh 123698 dragon11 123qwe456 peepers trucker1 ganjaman 1hxboqg2 cheyanne storys sebastie zztop maddison
        4rfv3edc darthvader jeffro iloveit victor1 hotty delphin lifeisgood gooseman shifty insertions dude123 abrupt
        123masha boogaloo chronos stamford pimpster kthjxrf getmein amidala flubber fettish grapeape dantes oralsex
        jack1 foxcg33 winchest francis1 getin archon cliffy blueman 1basebal sport1 emmitt22 porn123 bignasty morga
        123hfjdk147 ferrar juanito fabiol caseydog steveo peternorth paroll kimchi bootleg gaijin secre acacia eatme2
        amarillo monkey11 rfhfgep tylers a1a2a3a4a5 sweetass blower rodina babushka camilo cimbom tiffan vfnbkmlf ohbaby
        gotigers lindsey1 dragon13 romulus qazxsw12 zxcvbn1 dropdead hitman47 snuggle eleven11 bloopers 357mag avangard
        bmw320 ginscoot dshade masterkey voodoo1 rootedit caramba leahcim hannover 8phrowz622 tim123 cassius 000000a
        angelito zzzzz1 badkarma star1 malaga glenwood footlove golf1 summer12 helpme1 fastcars titan1 police1 polinka
        k.jdm marusya augusto shiraz pantyhose donald1 blaise arabella brigada c3por2d2 peter01 marco1 hellow dillweed
        uzumymw geraldin loveyou2 toyota1 088011 gophers indy500 slainte 5hsu75kpot teejay renat racoon sabrin angie1
        shiznit harpua sexyred latex tucker1 alexandru wahoo teamwork deepblue goodison rundmc r2d2c3p0 puppys samba
        ayrton boobed 999777 topsecre blowme1 123321z loudog random1 pantie drevil mandolin 121212q hottub brother1
        failsafe spade1 matvey open1234 carmen1 priscill schatzi kajak gooddog trojans1 gordon1 kayak calamity argent
        ufhvjybz seviyi penfold assface dildos hawkwind crowbar yanks ruffles rastus luv2epus open123 aquafina dawns
        jared1 teufel 12345c vwgolf pepsi123 amores passwerd 01478520 boliva smutty headshot password3 davidd zydfhm
        gbgbcmrf pornpass insertion ceckbr test2 car123 checkit dbnfkbq niggas nyyankee muskrat nbuhtyjr gunner1 ocean1
        fabienne chrissy1 wendys loveme89 batgirl cerveza igorek steel1 ragman boris123 novifarm sexy12 qwerty777 mike01
        giveitup 123456abc fuckall crevice hackerz gspot eight8 assassins texass swallows 123458 baldur moonshine labatt
        modem sydney1 voland dbnfkz hotchick jacker princessa dawgs1 holiday1 booper reliant miranda1 jamaica1 andre1
        badnaamhere barnaby tiger7 david12 margaux corsica 085tzzqi universi thewall nevermor martin6 qwerty77 cipher
        apples1 0102030405 seraphim black123 imzadi gandon ducati99 1shadow dkflbvbhjdyf 44magnum bigbad feedme
        samantha1 ultraman redneck1 jackdog usmc0311 fresh1 monique1 tigre alphaman cool1 greyhoun indycar crunchy
        55chevy carefree willow1 063dyjuy xrated assclown federica hilfiger trivia bronco1 mamita 100200300 simcity
        lexingky akatsuki retsam johndeere abudfv raster elgato businka satanas mattingl redwing1 shamil patate mannn
        moonstar evil666 b123456 bowl300 tanechka 34523452 carthage babygir santino bondarenko jesuss chico1 numlock
        shyguy sound1 kirby1 needit mostwanted 427900 funky1 steve123 passions anduril kermit1 prospero lusty barakuda
        dream1 broodwar porky christy1 mahal yyyyyy1 allan1 1sexy flintsto capri cumeater heretic robert2 hippos blindax
        marykay collecti kasumi 1qaz!qaz 112233q 123258 chemistr coolboy 0o9i8u kabuki righton tigress nessie sergej
        andrew12 yfafyz ytrhjvfyn angel7 victo mobbdeep lemming transfor 1725782 myhouse aeynbr muskie leno4ka westham1
        cvbhyjd daffodil pussylicker pamela1 stuffer warehous tinker1 2w3e4r pluton louise1 polarbea 253634 prime1
        anatoliy januar wysiwyg cobraya ralphy whaler xterra cableguy 112233a porn69 jamesd aqualung jimmy123 lumpy
        luckyman kingsize golfing1 alpha7 leeds1 marigold lol1234 teabag alex11 10sne1 saopaulo shanny roland1 basser
        3216732167 carol1 year2005 morozov saturn1 joseluis bushed redrock memnoch lalaland indiana1 lovegod gulnaz
        buffalos loveyou1 anteater pattaya jaydee redshift bartek summerti coffee1 ricochet incest schastie rakkaus
        h2opolo suikoden perro dance1 loveme1 whoopass vladvlad boober flyers1 alessia gfcgjhn pipers papaya gunsling
        coolone blackie1 gonads gfhjkzytn foxhound qwert12 gangrel ghjvtntq bluedevi mywife summer01 hangman licorice
        patter vfr750 thorsten 515253 ninguna dakine strange1 mexic vergeten 12345432 8phrowz624 stampede floyd1
        sailfish raziel ananda giacomo freeme crfprf 74185296 allstars master01 solrac gfnhbjn bayliner bmw525 3465xxx
        catter single1 michael3 pentium4 nitrox mapet123456 halibut killroy xxxxx1 phillip1 poopsie arsenalfc buffys
        kosova all4me 32165498 arslan opensesame brutis charles2 pochta nadegda backspac mustang0 invis gogeta 654321q
        adam25 niceday truckin gfdkbr biceps sceptre bigdave lauras user345 sandys shabba ratdog cristiano natha march13
        gumball getsdown wasdwasd redhead1 dddddd1 longlegs 13572468 starsky ducksoup bunnys omsairam whoami fred123
        danmark flapper swanky lakings yfhenj asterios rainier searcher dapper ltdjxrf horsey seahawk shroom tkfkdgo
        aquaman tashkent number9 messi10 1asshole milenium illumina vegita jodeci buster01 bareback goldfinger fire1
        33rjhjds sabian thinkpad smooth1 sully bonghits sushi1 magnavox colombi voiture limpone oldone aruba rooster1
        zhenya nomar5 touchdow limpbizkit rhfcfdxbr baphomet afrodita bball1 madiso ladles lovefeet matthew2 theworld
        thunderbird dolly1 123rrr forklift alfons berkut speedy1 saphire oilman creatine pussylov bastard1 456258
        wicked1 filimon skyline1 fucing yfnfkbz hot123 abdulla nippon nolimits billiard booty1 buttplug westlife
        coolbean aloha1 lopas asasin 1212121 october2 whodat good4u d12345 kostas ilya1992 regal pioneer1 volodya focus1
        bastos nbvjif fenix anita1 vadimka nickle jesusc 123321456 teste christ1 essendon evgenii celticfc adam1 forumwp
        lovesme 26exkp chillout burly thelast1 marcus1 metalgear test11 ronaldo7 socrate world1 franki mommie vicecity
        postov1000 charlie3 oldschool 333221 legoland antoshka counterstrike buggy mustang3 123454 qwertzui toons chesty
        bigtoe tigger12 limpopo rerehepf diddle nokia3250 solidsnake conan1 rockroll 963369 titanic1 qwezxc cloggy
        prashant katharin maxfli takashi cumonme michael9 mymother pennstate khalid 48151623 fightclub showboat mateusz
        elrond teenie arrow1 mammamia dustydog dominator erasmus zxcvb1 1a2a3a bones1 dennis1 galaxie pleaseme whatever1
        junkyard galadriel charlies 2wsxzaq1 crimson1 behemoth teres master11 fairway shady1 pass99 1batman joshua12
        baraban apelsin mousepad melon twodogs 123321qwe metalica ryjgrf pipiska rerfhfxf lugnut cretin iloveu2 powerade
        aaaaaaa1 omanko kovalenko isabe chobits 151nxjmt shadow11 zcxfcnkbdf gy3yt2rgls vfhbyrf 159753123 bladerunner
        goodone wonton doodie 333666999 fuckyou123 kitty123 chisox orlando1 skateboa red12345 destroye snoogans satan1
        juancarlo goheels jetson scottt fuckup aleksa gfhfljrc passfind oscar123 derrick1 hateme viper123 pieman audi100
        tuffy andover shooter1 10000 makarov grant1 nighthaw 13576479 browneye batigol nfvfhf chocolate1 7hrdnw23 petter
        bantam morlii jediknight brenden argonaut goodstuf wisconsi 315920 abigail1 dirtbag splurge k123456 lucky777
        valdepen gsxr600 322223 ghjnjrjk zaq1xsw2cde3 schwanz walter1 letmein22 nomads 124356 codeblue nokian70 fucke
        footbal1 agyvorc aztecs passw0r smuggles femmes ballgag krasnodar tamuna schule sixtynine empires erfolg dvader
        ladygaga elite1 venezuel nitrous kochamcie olivia1 trustn01 arioch sting1 131415 tristar 555000 maroon 135799
        marsik 555556 fomoco natalka cwoui tartan davecole nosferat hotsauce dmitry horus dimasik skazka boss302
        bluebear vesper ultras tarantul asd123asd azteca theflash 8ball 1footbal titlover lucas123 number6 sampson1
        789852 party1 dragon99 adonai carwash metropol psychnau vthctltc hounds firework blink18 145632 wildcat1 satchel
        rice80 ghtktcnm sailor1 cubano anderso rocks1 mike11 famili dfghjc besiktas roygbiv nikko bethan minotaur rakesh
        orange12 hfleuf jackel myangel favorite7 1478520 asssss agnieszka haley1 raisin htubyf 1buster cfiekz derevo
        1a2a3a4a5a baltika raffles scruffy1 clitlick louis1 buddha1 fy.nrf walker1 makoto shadow2 redbeard vfvfvskfhfve
        mycock sandydog lineman network1 favorite8 longdick mustangg mavericks indica 1killer cisco1 angelofwar blue69
        brianna1 bubbaa slayer666 level42 baldrick brutus1 lowdown haribo lovesexy 500000 thissuck picker stephy 1fuckme
        characte telecast 1bigdog repytwjdf thematrix hammerhe chucha ganesha gunsmoke georgi sheltie 1harley knulla
        sallas westie dragon7 conker crappie margosha lisboa 3e2w1q shrike grifter ghjcnjghjcnj asdfg1 mnbvcxz1 myszka
        posture boggie rocketman flhtyfkby twiztid vostok pi314159 force1 televizor gtkmvtym samhain imcool jadzia
        dreamers strannik k2trix steelhea nikitin commodor brian123 chocobo whopper ibilljpf megafon ararat thomas12
        ghbrjkbcn q1234567890 hibernia kings1 jim123 redfive 68camaro iawgk2 xavier1 1234567u d123456 ndirish airborn
        halfmoon fluffy1 ranchero sneaker soccer2 passion1 cowman birthday1 johnn razzle glock17 wsxqaz nubian lucky2
        jelly1 henderso eric1 123123e boscoe01 fuck0ff simpson1 sassie rjyjgkz nascar3 watashi loredana janus wilso
        conman david2 mothe iloveher snikers davidj fkmnthyfnbdf mettss ratfink 123456h lostsoul sweet16 brabus wobble
        petra1 fuckfest otters sable1 svetka spartacu bigstick milashka 1lover pasport champagn papichul hrvatska
        hondacivic kevins tacit moneybag gohogs rasta1 246813579 ytyfdbcnm gubber darkmoon vitaliy 233223 playboys
        tristan1 joyce1 oriflame mugwump access2 autocad thematri qweqwe123 lolwut ibill01 multisyn 1233211 pelikan
        rob123 chacal 1234432 griffon pooch dagestan geisha satriani anjali rocketma gixxer pendrago vincen hellokit
        killyou ruger doodah bumblebe badlands galactic emachines foghorn jackso jerem avgust frontera 123369 daisymae
        hornyboy welcome123 tigger01 diabl angel13 interex iwantsex rockydog kukolka sawdust online1 3234412 bigpapa
        jewboy 3263827 dave123 riches 333222 tony1 toggle farter 124816 tities balle brasilia southsid micke ghbdtn12
        patit ctdfcnjgjkm olds442 zzzzzz1 nelso gremlins gypsy1 carter1 slut69 farcry 7415963 michael8 birdie1 charl
        123456789abc 100001 aztec sinjin bigpimpi closeup atlas1 nvidia doggone classic1 manana malcolm1 rfkbyf hotbabe
        rajesh dimebag ganjubas rodion jagr68 seren syrinx funnyman karapuz 123456789n bloomin admin18533362 biggdogg
        ocarina poopy1 hellome internet1 booties blowjobs matt1 donkey1 swede 1jennife evgeniya lfhbyf coach1 444777
        green12 patryk pinewood justin12 271828 89600506779 notredame tuborg lemond sk8ter million1 wowser pablo1 st0n3
        jeeves funhouse hiroshi gobucs angeleye bereza winter12 catalin qazedc andros ramazan vampyre sweethea imperium
        murat jamest flossy sandeep morgen salamandra bigdogg stroller njdevils nutsack vittorio %%passwo playful
        rjyatnrf tookie ubnfhf michi 777444 shadow13 devils1 radiance toshiba1 beluga amormi dandfa trust1 killemall
        smallville polgara billyb landscap steves exploite zamboni damage11 dzxtckfd trader12 pokey1 kobe08 damager
        egorov dragon88 ckfdbr lisa69 blade2 audis4 nelson1 nibbles 23176djivanfros mutabor artofwar matvei metal666
        hrfzlz schwinn poohbea seven77 thinker 123456789qwerty sobriety jakers karamelka vbkfyf volodin iddqd dale03
        roberto1 lizaveta qqqqqq1 cathy1 08154711 davidm quixote bluenote tazdevil katrina1 bigfoot1 bublik marma
        olechka fatpussy marduk arina nonrev67 qqqq1111 camill wtpfhm truffle fairview mashina voltaire qazxswedcvfr
        dickface grassy lapdance bosstone crazy8 yackwin mobil danielit mounta1n player69 bluegill mewtwo reverb cnthdf
        pablito a123321 elena1 warcraft1 orland ilovemyself rfntyjr joyride schoo dthjxrf thetachi goodtimes blacksun
        humpty chewbacca guyute 123xyz lexicon blue45 qwe789 galatasaray centrino hendrix1 deimos saturn5 craig1
        vlad1996 sarah123 tupelo ljrnjh hotwife bingos 1231231 nicholas1 flamer pusher 1233210 heart1 hun999 jiggy
        giddyup oktober 123456zxc budda galahad glamur samwise oneton bugsbunny dominic1 scooby2 freetime internat
        159753852 sc00ter wantit mazinger inflames laracrof greedo 014789 godofwar repytwjd water123 fishnet venus1
        wallace1 tenpin paula1 1475963 mania novikov qwertyasdfgh goldmine homies 777888999 8balls holeinon paper1
        samael 013579 mansur nikit ak1234 blueline polska1 hotcock laredo windstar vbkbwbz raider1 newworld lfybkrf
        catfish1 shorty1 piranha treacle royale 2234562 smurfs minion cadence flapjack 123456p sydne 135531 robinhoo
        nasdaq decatur cyberonline newage gemstone jabba touchme hooch pigdog indahous fonzie zebra1 juggle patrick2
        nihongo hitomi oldnavy qwerfdsa ukraina shakti allure kingrich diane1 canad piramide hottie1 clarion college1
        5641110 connect1 therion clubber velcro dave1 astra1 13579- astroboy skittle isgreat photoes cvzefh1gkc 001100
        2cool4u 7555545 ginger12 2wsxcde3 camaro69 invader domenow asd1234 colgate qwertasdfg jack123 pass01 maxman
        bronte whkzyc peter123 bogie yecgaa abc321 1qay2wsx enfield camaroz2 trashman bonefish system32 azsxdcfvgb
        peterose iwantyou dick69 temp1234 blastoff capa200 connie1 blazin 12233445 sexybaby 123456j brentfor pheasant
        hommer jerryg thunders august1 lager kapusta boobs1 nokia5300 rocco1 xytfu7 stars1 tugger 123sas blingbling
        1bubba 0wnsyo0 1george baile richard2 habana 1diamond sensatio 1golfer maverick1 1chris clinton1 michael7
        dragons1 sunrise1 pissant fatim mopar1 levani rostik pizzapie 987412365 oceans11 748159263 cum4me palmetto
        4r3e2w1q paige1 muncher arsehole kratos gaffer banderas billys prakash crabby bungie silver12 caddis spawn1
        xboxlive sylvania littlebi 524645 futura valdemar isacs155 prettygirl big123 555444 slimer chicke newstyle
        skypilot sailormoon fatluvr69 jetaime sitruc jesuschrist sameer bear12 hellion yendor country1 etnies conejo
        jedimast darkknight toobad yxcvbn snooks porn4life calvary alfaromeo ghostman yannick fnkfynblf vatoloco
        homebase 5550666 barret 1111111111zz odysseus edwardss favre4 jerrys crybaby xsw21qaz firestor spanks indians1
        squish kingair babycakes haters sarahs 212223 teddyb xfactor cumload rhapsody death123 three3 raccoon thomas2
        slayer66 1q2q3q4q5q thebes mysterio thirdeye orkiox. nodoubt bugsy schweiz dima1996 angels1 darkwing jeronimo
        moonpie ronaldo9 peaches2 mack10 manish denise1 fellowes carioca taylor12 epaulson makemoney oc247ngucz kochanie
        3edcvfr4 vulture 1qw23e 1234567z munchie picard1 xthtgfirf sportste psycho1 tahoe1 creativ perils slurred hermit
        scoob diesel1 cards1 wipeout weeble integra1 out3xf powerpc chrism kalle ariadne kailua phatty dexter1 fordman
        bungalow paul123 compa train1 thejoker jys6wz pussyeater eatmee sludge dominus denisa tagheuer yxcvbnm bill1
        ghfdlf 300zx nikita123 carcass semaj ramone muenchen animal1 greeny annemari dbrf134 jeepcj7 mollys garten
        sashok ironmaid coyotes astoria george12 westcoast primetim 123456o panchito rafae japan1 framer auralo tooshort
        egorova qwerty22 callme medicina warhawk w1w2w3w4 cristia merli alex22 kawaii chatte wargames utvols muaddib
        trinket andreas1 jjjjj1 cleric scooters cuntlick gggggg1 slipknot1 235711 handcuff stussy guess1 leiceste ppppp1
        passe lovegun chevyman hugecock driver1 buttsex psychnaut1 cyber1 black2 alpha12 melbourn man123 metalman
        yjdsqujl blondi bungee freak1 stomper caitlin1 nikitina flyaway prikol begood desperad aurelius john1234
        whosyourdaddy slimed123 bretagne den123 hotwheel king123 roodypoo izzicam save13tx warpten nokia3310 samolet
        ready1 coopers scott123 bonito 1aaaaa yomomma dawg1 rache itworks asecret fencer 451236 polka olivetti sysadmin
        zepplin sanjuan 479373 lickem hondacrx pulamea future1 naked1 sexyguy w4g8at lollol1 declan runner1 rumple
        daddy123 4snz9g grandprix calcio whatthefuck nagrom asslick pennst negrit squiggy 1223334444 police22 giovann
        toronto1 tweet yardbird seagate truckers 554455 scimitar pescator slydog gaysex dogfish fuck777 12332112
        qazxswed morkovka daniela1 imback horny69 789123456 123456789w jimmy2 bagger ilove69 nikolaus atdhfkm rebirth
        1111aaaa pervasive gjgeufq dte4uw gfhnbpfy skeletor whitney1 walkman delorean disco1 555888 as1234 ishikawa
        fuck12 reaper1 dmitrii bigshot morrisse purgen qwer4321 itachi willys 123123qwe kisska roma123 trafford sk84life
        326159487 pedros idiom plover bebop 159875321 jailbird arrowhea qwaszx123 zaxscdvf catlover bakers 13579246
        bones69 vermont1 helloyou simeon chevyz71 funguy stargaze parolparol steph1 bubby apathy poppet laxman kelly123
        goodnews 741236 boner1 gaetano astonvilla virtua luckyboy rocheste hello2u elohim trigger1 cstrike pepsicola
        miroslav 96385274 fistfuck cheval magyar svetlanka lbfyjxrf mamedov 123123123q ronaldo1 scotty1 1nicole pittbull
        fredd bbbbb1 dagwood gfhkfvtyn ghblehrb logan5 1jordan sexbomb omega2 montauk 258741 dtythf gibbon winamp
        thebomb millerli 852654 gemin baldy halflife2 dragon22 mulberry morrigan hotel6 zorglub surfin 951159 excell
        arhangel emachine moses1 968574 reklama bulldog2 cuties barca twingo saber elite11 redtruck casablan ashish
        moneyy pepper12 cnhtktw rjcnbr arschloch phenix cachorro sunita madoka joselui adams1 mymoney hemicuda fyutkjr
        jake12 chicas eeeee1 sonnyboy smarties birdy kitten1 cnfcbr island1 kurosaki taekwond konfetka bennett1 omega3
        jackson2 fresca minako octavian kban667 feyenoord muaythai jakedog fktrcfylhjdyf 1357911q phuket sexslave
        fktrcfylhjdbx asdfjk 89015173454 qwerty00 kindbud eltoro sex6969 nyknicks 12344321q caballo evenflow hoddle
        love22 metro1 mahalko lawdog tightass manitou buckie whiskey1 anton123 335533 password4 primo ramair timbo
        brayden stewie pedro1 yorkshir ganster hellothe tippy1 direwolf genesi rodrig enkeli vaz21099 sorcerer winky
        oneshot boggle serebro badger1 japanes comicbook kamehame alcat denis123 echo45 sexboy gr8ful hondo voetbal
        blue33 2112rush geneviev danni1 moosey polkmn matthew7 ironhead hot2trot ashley12 sweeper imogen blue21 retep
        stealth1 guitarra bernard1 tatian frankfur vfnhbwf slacking haha123 963741 asdasdas katenok airforce1
        123456789qaz shotgun1 12qwasz reggie1 sharo 976431 pacifica dhip6a neptun kardon spooky1 beaut 555555a toosweet
        tiedup 11121314 startac lover69 rediska pirata vfhrbp 1234qwerty energize hansolo1 playbo larry123 oemdlg
        cnjvfnjkju a123123 alexan gohawks antonius fcbayern mambo yummy1 kremlin ellen1 tremere vfiekz bellevue charlie9
        izabella malishka fermat rotterda dawggy becket chasey kramer1 21125150 lolit cabrio schlong arisha verity 3some
        favorit maricon travelle hotpants red1234 garrett1 home123 knarf seven777 figment asdewq canseco good2go warhol
        thomas01 pionee al9agd panacea chevy454 brazzers oriole azerty123 finalfan patricio northsta rebelde bulldo
        stallone boogie1 7uftyx cfhfnjd compusa cornholi config deere hoopster sepultura grasshop babygurl lesbo diceman
        proverbs reddragon nurbek tigerwoo superdup buzzsaw kakaroto golgo13 edwar 123qaz123 butter1 sssss1 texas2
        respekt ou812ic 123456qaz 55555a doctor1 mcgwire maria123 aol999 cinders aa1234 joness ghbrjkmyj makemone
        sammyboy 567765 380zliki theraven testme mylene elvira26 indiglo tiramisu shannara baby1 123666 gfhreh papercut
        johnmish orange8 bogey1 mustang7 bagpipes dimarik vsijyjr 4637324 ravage cogito seven11 natashka warzone hr3ytm
        4free bigdee 000006 243462536 bigboi 123333 trouts sandy123 szevasz monica2 guderian newlife1 ratchet r12345
        razorbac 12345i piazza31 oddjob beauty1 fffff1 anklet nodrog pepit olivi puravida robert12 transam1 portman
        bubbadog steelers1 wilson1 eightball mexico1 superboy 4rfv5tgb mzepab samurai1 fuckslut colleen1 girdle vfrcbvec
        q1w2e3r4t soldier1 19844891 alyssa1 a12345a fidelis skelter nolove mickeymouse frehley password69 watermel
        aliska soccer15 12345e ladybug1 abulafia adagio tigerlil takehana hecate bootneck junfan arigato wonkette
        bobby123 trustnoone phantasm 132465798 brianjo w12345 t34vfrc1991 deadeye 1robert 1daddy adida check1 grimlock
        muffi airwalk prizrak onclick longbeac ernie1 eadgbe moore1 geniu shadow123 bugaga jonathan1 cjrjkjdf orlova
        buldog talon1 westport aenima 541233432442 barsuk chicago2 kellys hellbent toughguy iskander skoal whatisit
        jake123 scooter2 fgjrfkbgcbc ghandi love13 adelphia vjhrjdrf adrenali niunia jemoeder rainbo all4u8 anime1
        freedom7 seraph 789321 tommys antman firetruc neogeo natas bmwm3 froggy1 paul1 mamit bayview gateways kusanagi
        ihateu frederi rock1 centurion grizli biggin fish1 stalker1 3girls ilovepor klootzak lollo redsox04 kirill123
        jake1 pampers vasya hammers1 teacup towing celtic1 ishtar yingyang 4904s677075 dahc1 patriot1 patrick9 redbirds
        doremi rebecc yoohoo makarova epiphone rfgbnfy milesd blister chelseafc katana1 blackrose 1james primrose shock5
        hard1 scooby12 c6h12o6 dustoff boing chisel kamil 1william defiant1 tyvugq mp8o6d aaa340 nafets sonnet flyhigh
        242526 crewcom love23 strike1 stairway katusha salamand cupcake1 password0 007james sunnie multisync harley01
        tequila1 fred12 driver8 q8zo8wzq hunter01 mozzer temporar eatmeraw mrbrownxx kailey sycamore flogger tincup
        rahasia ganymede bandera slinger 1111122222 vander woodys 1cowboy khaled jamies london12 babyboo tzpvaw diogenes
        budice mavrick 135797531 cheeta macros squonk blackber topfuel apache1 falcon16 darkjedi cheeze vfhvtkfl sparco
        change1 gfhfif freestyl kukuruza loveme2 12345f kozlov sherpa marbella 44445555 bocephus 1winner alvar hollydog
        gonefish iwantin barman godislove amanda18 rfpfynbg eugen abcdef1 redhawk thelema spoonman baller1 harry123
        475869 tigerman cdtnjxrf marillio scribble elnino carguy hardhead l2g7k3 troopers selen dragon76 antigua ewtosi
        ulysse astana paroli cristo carmex marjan bassfish letitbe kasparov jay123 19933991 blue13 eyecandy scribe
        mylord ukflbjkec ellie1 beaver1 destro neuken halfpint ameli lilly1 satanic xngwoj 12345trewq asdf1 bulldogg
        asakura jesucrist flipside packers4 biggy kadett biteme69 bobdog silverfo saint1 bobbo packman knowledg foolio
        fussbal 12345g kozerog westcoas minidisc nbvcxw martini1 alastair rasengan superbee memento porker lena123
        florenc kakadu bmw123 getalife bigsky monkee people1 schlampe red321 memyself 0147896325 12345678900987654321
        soccer14 realdeal gfgjxrf bella123 juggs doritos celtics1 peterbilt ghbdtnbrb gnusmas xcountry ghbdtn1 batman99
        deusex gtnhjdf blablabl juster marimba love2 rerjkrf alhambra micros siemens1 assmaste moonie dashadasha atybrc
        eeeeee1 wildrose blue55 davidl xrp23q skyblue leo123 ggggg1 bestfriend franny 1234rmvb fun123 rules1 sebastien
        chester2 hakeem winston2 fartripper atlant 07831505 iluvsex q1a2z3 larrys 009900 ghjkju capitan rider1 qazxsw21
        belochka andy123 hellya chicca maximal juergen password1234 howard1 quetzal daniel123 qpwoeiruty 123555 bharat
        ferrari3 numbnuts savant ladydog phipsi lovepussy etoile power2 mitten britneys chilidog 08522580 2fchbg kinky1
        bluerose loulo ricardo1 doqvq3 kswbdu 013cpfza timoha ghbdtnghbdtn 3stooges gearhead browns1 g00ber super7
        greenbud kitty2 pootie toolshed gamers coffe ibill123 freelove anasazi sister1 jigger natash stacy1 weronika
        luzern soccer7 hoopla dmoney valerie1 canes razdvatri washere greenwoo rfhjkbyf anselm pkxe62 maribe daniel2
        maxim1 faceoff carbine xtkjdtr buddy12 stratos jumpman buttocks aqswdefr pepsis sonechka steeler1 lanman
        nietzsch ballz biscuit1 wrxsti goodfood juventu federic mattman vika123 strelec jledfyxbr sideshow 4life
        fredderf bigwilly 12347890 12345671 sharik bmw325i fylhtqrf dannon4 marky mrhappy drdoom maddog1 pompier cerbera
        goobers howler jenny69 evely letitrid cthuttdyf felip shizzle golf12 t123456 yamah bluearmy squishy roxan
        10inches dollface babygirl1 blacksta kaneda lexingto canadien 222888 kukushka sistema 224422 shadow69 ppspankp
        mellons barbie1 free4all alfa156 lostone 2w3e4r5t painkiller robbie1 binger 8dihc6 jaspe rellik quark sogood
        hoopstar number2 snowy1 dad2ownu cresta qwe123asd hjvfyjdf gibsonsg qbg26i dockers grunge duckling lfiekz
        cuntsoup kasia1 1tigger woaini reksio tmoney firefighter neuron audia3 woogie powerboo powermac fatcock 12345666
        upnfmc lustful porn1 gotlove amylee kbytqrf 11924704 25251325 sarasota sexme ozzie1 berliner nigga1 guatemal
        seagulls iloveyou! chicken2 qwerty21 010203040506 1pillow libby1 vodoley backlash piglets teiubesc 019283
        vonnegut perico thunde buckey gtxtymrf manunite iiiii1 lost4815162342 madonn 270873_ britney1 kevlar piano1
        boondock colt1911 salamat doma77ns anuradha cnhjqrf rottweil newmoon topgun1 mauser fightclu birthday21 reviewpa
        herons aassddff lakers32 melissa2 vredina jiujitsu mgoblue shakey moss84 12345zxcvb funsex benji1 garci 113322
        chipie windex nokia5310 pwxd5x bluemax cosita chalupa trotsky new123 g3ujwg newguy canabis gnaget happydays
        felixx 1patrick cumface sparkie kozlova 123234 newports broncos7 golf18 recycle hahah harrypot cachondo open4me
        miria guessit pepsione knocker usmc1775 countach playe wiking landrover cracksevi drumline a7777777 smile123
        manzana panty liberta pimp69 dolfan quality1 schnee superson elaine22 webhompass mrbrownx deepsea 4wheel
        mamasita rockport rollie myhome jordan12 kfvgjxrf hockey12 seagrave ford1 chelsea2 samsara marissa1 lamesa
        mobil1 piotrek tommygun yyyyy1 wesley1 billy123 homersim julies amanda12 shaka maldini suzenet springst iiiiii1
        yakuza 111111aa westwind helpdesk annamari bringit hopefull hhhhhhh1 saywhat mazdarx8 bulova jennife1 baikal
        gfhjkmxbr victoria1 gizmo123 alex99 defjam 2girls sandrock positivo shingo syncmast opensesa silicone fuckina
        senna1 karlos duffbeer montagne gehrig thetick pepino hamburge paramedic scamp smokeweed fabregas phantoms
        venom121293 2583458 badone porno69 manwhore vfvf123 notagain vbktyf rfnthbyrf wildblue kelly001 dragon66 camell
        curtis1 frolova 1212123 dothedew tyler123 reddrago planetx promethe gigolo 1001001 thisone eugeni blackshe
        cruzazul incognito puller joonas quick1 spirit1 gazza zealot gordito hotrod1 mitch1 pollito hellcat mythos
        duluth 383pdjvl easy123 hermos binkie its420 lovecraf darien romina doraemon 19877891 syclone hadoken transpor
        ichiro intell gargamel dragon2 wavpzt 557744 rjw7x4 jennys kickit rjynfrn likeit 555111 corvus nec3520 133113
        mookie1 bochum samsung2 locoman0 154ugeiu vfvfbgfgf 135792 [start] tenni 20001 vestax hufmqw neveragain wizkid
        kjgfnf nokia6303 tristen saltanat louie1 gandalf2 sinfonia alpha3 tolstoy ford150 f00bar 1hello alici lol12
        riker1 hellou 333888 1hunter qw1234 vibrator mets86 43211234 gonzale cookies1 sissy1 john11 bubber blue01
        cup2006 gtkmvtyb nazareth heybaby suresh teddie mozilla rodeo1 madhouse gamera 123123321 naresh dominos foxtrot1
        taras powerup kipling jasonb fidget galena meatman alpacino bookmark farting humper titsnass gorgon castaway
        dianka anutka gecko1 fucklove connery wings1 erika1 peoria moneymaker ichabod heaven1 paperboy phaser breakers
        nurse1 westbrom alex13 brendan1 123asd123 almera grubber clarkie thisisme welkom01 51051051051 crypto freenet
        pflybwf black12 testme2 changeit autobahn attica chaoss denver1 tercel gnasher23 master2 vasilii sherman1 gomer
        bigbuck derek1 qwerzxcv jumble dragon23 art131313 numark beasty cxfcnmttcnm updown starion glist sxhq65 ranger99
        monkey7 shifter wolves1 4r5t6y phone1 favorite5 skytommy abracada 1martin 102030405060 gatech giulio blacktop
        cheer1 africa1 grizzly1 inkjet shemales durango1 booner 11223344q supergirl vanyarespekt dickless srilanka
        weaponx 6string nashvill spicey boxer1 fabien 2sexy2ho bowhunt jerrylee acrobat tawnee ulisse nolimit8 l8g3bkde
        pershing gordo1 allover gobrowns 123432 123444 321456987 spoon1 hhhhh1 sailing1 gardenia teache sexmachine
        tratata pirate1 niceone jimbos 314159265 qsdfgh bobbyy ccccc1 carla1 vjkjltw savana biotech frigid 123456789g
        dragon10 yesiam alpha06 oakwood tooter winsto radioman vavilon asnaeb google123 nariman kellyb dthyjcnm
        password6 parol1 golf72 skate1 lthtdj 1234567890s kennet rossia lindas nataliya perfecto eminem1 kitana aragorn1
        rexona arsenalf planot coope testing123 timex blackbox bullhead barbarian dreamon polaris1 cfvjktn frdfhbev
        gametime slipknot666 nomad1 hfgcjlbz happy69 fiddler brazil1 joeboy indianali 113355 obelisk telemark ghostrid
        preston1 anonim wellcome verizon1 sayangku censor timeport dummies adult1 nbnfybr donger thales iamgay sexy1234
        deadlift pidaras doroga 123qwe321 portuga asdfgh12 happys cadr14nu pi3141 maksik dribble cortland darken
        stepanova bommel tropic sochi2014 bluegras shahid merhaba nacho 2580456 orange44 kongen 3cudjz 78girl my3kids
        marcopol deadmeat gabbie saruman jeepman freddie1 katie123 master99 ronal ballbag centauri killer7 xqgann
        pinecone jdeere geirby aceshigh 55832811 pepsimax rayden razor1 tallyho ewelina coldfire florid glotest 999333
        sevenup bluefin limaperu apostol bobbins charmed1 michelin sundin centaur alphaone christof trial1 lions1 45645
        just4you starflee vicki1 cougar1 green2 jellyfis batman69 games1 hihje863 crazyzil w0rm1 oklick dogbite yssup
        sunstar paprika postov10 124578963 x24ik3 kanada buckster iloveamy bear123 smiler nx74205 ohiostat spacey
        bigbill doudo nikolaeva hcleeb sex666 mindy1 buster11 deacons boness njkcnsq candy2 cracker1 turkey1 qwertyu1
        gogreen tazzzz edgewise ranger01 qwerty6 blazer1 arian letmeinnow cigar1 jjjjjj1 grigio frien tenchu f9lmwd
        imissyou filipp heathers coolie salem1 woodduck scubadiv 123kat raffaele nikolaev dapzu455 skooter 9inches
        lthgfhjkm gr8one ffffff1 zujlrf amanda69 gldmeo m5wkqf rfrltkf televisi bonjou paleale stuff1 cumalot fuckmenow
        climb7 mark1234 t26gn4 oneeye george2 utyyflbq hunting1 tracy71 ready2go hotguy accessno charger1 rudedog kmfdm
        goober1 sweetie1 wtpmjgda dimensio ollie1 pickles1 hellraiser mustdie 123zzz 99887766 stepanov verdun tokenbad
        anatol bartende cidkid86 onkelz timmie mooseman patch1 12345678c marta1 dummy1 bethany1 myfamily history1 178500
        lsutiger phydeaux moren dbrnjhjdbx gnbxrf uniden drummers abpbrf godboy daisy123 hogan1 ratpack irland tangerine
        greddy flore sqrunch billyjoe q55555 clemson1 98745632 marios ishot angelin access12 naruto12 lolly scxakv
        austin12 sallad cool99 rockit mongo1 mark22 ghbynth ariadna senha docto tyler2 mobius hammarby 192168 anna12
        claire1 pxx3eftp secreto greeneye stjabn baguvix satana666 rhbcnbyjxrf dallastx garfiel michaelj 1summer montan
        1234ab filbert squids fastback lyudmila chucho eagleone kimberle ar3yuk3 jake01 nokids soccer22 1066ad ballon
        cheeto review69 madeira taylor2 sunny123 chubbs lakeland striker1 porche qwertyu8 digiview go1234 ferari
        lovetits aditya minnow green3 matman cellphon fortytwo minni pucara 69a20a roman123 fuente 12e3e456 paul12 jacky
        demian littleman jadakiss vlad1997 franca 282860 midian nunzio xaccess2 colibri jessica0 revilo 654456 harvey1
        wolf1 macarena corey1 husky1 arsen milleniu 852147 crowes redcat combat123654 hugger psalms quixtar ilovemom
        toyot ballss ilovekim serdar james23 avenger1 serendip malamute nalgas teflon shagger letmein6 vyjujnjxbt
        assa1234 student1 dixiedog gznybwf13 fuckass aq1sw2de3 robroy hosehead sosa21 123345 ias100 teddy123 poppin
        dgl70460 zanoza farhan quicksilver 1701d tajmahal depechemode paulchen angler tommy2 recoil megamanx scarecro
        nicole2 152535 rfvtgb skunky fatty1 saturno wormwood milwauke udbwsk sexlover stefa 7bgiqk gfnhbr omar10 bratan
        lbyfvj slyfox forest1 jambo william3 tempus solitari lucydog murzilka qweasdzxc1 vehpbkrf 12312345 fixit woobie
        andre123 123456789x lifter zinaida soccer17 andone foxbat torsten apple12 teleport 123456i leglover bigcocks
        vologda dodger1 martyn d6o8pm naciona eagleeye maria6 rimshot bentley1 octagon barbos masaki gremio siemen
        s1107d mujeres bigtits1 cherr saints1 mrpink simran ghzybr ferrari2 secret12 tornado1 kocham picolo deneme
        onelove1 rolan fenster 1fuckyou cabbie pegaso nastyboy password5 aidana mine2306 mike13 wetone tigger69 ytreza
        bondage1 myass golova tolik happyboy poilkj nimda2k rammer rubies hardcore1 jetset hoops1 jlaudio misskitt
        1charlie google12 theone1 phred porsch aalborg luft4 charlie5 password7 gnosis djgabbab 1daniel vinny borris
        cumulus member1 trogdor darthmau andrew2 ktjybl relisys kriste rasta220 chgobndg weener qwerty66 fritter
        followme freeman1 ballen blood1 peache mariso trevor1 biotch gtfullam chamonix friendste alligato misha1 1soccer
        18821221 venkat superd molotov bongos mpower acun3t1x dfcmrf h4x3d rfhfufylf tigran booyaa plastic1 monstr
        rfnhby lookatme anabolic tiesto simon123 soulman canes1 skyking tomcat1 madona bassline dasha123 tarheel1 dutch1
        xsw23edc qwerty123456789 imperator slaveboy bateau paypal house123 pentax wolf666 drgonzo perros digger1 juninho
        hellomoto bladerun zzzzzzz1 keebler take8422 fffffff1 ginuwine israe caesar1 crack1 precious1 garand magda1
        zigazaga 321ewq johnpaul mama1234 iceman69 sanjeev treeman elric rebell 1thunder cochon deamon zoltan straycat
        uhbyuj luvfur mugsy primer wonder1 teetime candycan pfchfytw fromage gitler salvatio piggy1 23049307 zafira
        chicky sergeev katze bangers andriy jailbait vaz2107 ghbhjlf dbjktnnf aqswde zaratustra asroma 1pepper alyss
        kkkkk1 ryan1 radish cozumel waterpol pentium1 rosebowl farmall steinway dbrekz baranov jkmuf another1 chinacat
        qqqqqqq1 hadrian devilmaycry4 ratbag teddy2 love21 pullings packrat robyn1 boobo qw12er34 tribe1 rosey celestia
        nikkie fortune12 olga123 danthema gameon vfrfhjys dilshod henry14 jenova redblue chimaera pennywise sokrates
        danimal qqaazz fuaqz4 killer2 198200 tbone1 kolyan wabbit lewis1 maxtor egoist asdfas spyglass omegas jack12
        nikitka esperanz doozer matematika wwwww1 ssssss1 poiu0987 suchka courtney1 gungho alpha2 fktyjxrf summer06
        bud420 devildriver heavyd saracen foucault choclate rjdfktyrj goblue1 monaro jmoney dcpugh efbcapa201 qqh92r
        pepsicol bbb747 ch5nmk honeyb beszoptad tweeter intheass iseedeadpeople 123dan 89231243658s farside1 findme
        smiley1 55556666 sartre ytcnjh kacper costarica 134679258 mikeys nolimit9 vova123 withyou 5rxypn love143 freebie
        rescue1 203040 michael6 12monkey redgreen steff itstime naveen good12345 acidrain 1dawg miramar playas daddio
        orion2 852741 studmuff kobe24 senha123 stephe mehmet allalone scarface1 helloworld smith123 blueyes vitali
        memphis1 mybitch colin1 159874 1dick podaria d6wnro brahms f3gh65 dfcbkmtd xxxman corran ugejvp qcfmtz marusia
        totem arachnid matrix2 antonell fgntrf zemfira christos surfing1 naruto123 plato1 56qhxs madzia vanille 043aaa
        asq321 mutton ohiostate golde cdznjckfd rhfcysq green5 elephan superdog jacqueli bollock lolitas nick12 1orange
        maplelea july23 argento waldorf wolfer pokemon12 zxcvbnmm flicka drexel outlawz harrie atrain juice2 falcons1
        charlie6 19391945 tower1 dragon21 hotdamn dirtyboy love4ever 1ginger thunder2 virgo1 alien1 bubblegu 4wwvte
        123456789qqq realtime studio54 passss vasilek awsome giorgia bigbass 2002tii sunghile mosdef simbas count0
        uwrl7c summer05 lhepmz ranger21 sugarbea principe 5550123 tatanka 9638v cheerios majere nomercy jamesbond007
        bh90210 7550055 jobber karaganda pongo trickle defamer 6chid8 1q2a3z tuscan nick123 .adgjm loveyo hobbes1
        note1234 shootme 171819 loveporn 9788960 monty123 fabrice macduff monkey13 shadowfa tweeker hanna1 madball
        telnet loveu2 qwedcxzas thatsit vfhcbr ptfe3xxp gblfhfcs ddddddd1 hakkinen liverune deathsta misty123 suka123
        recon1 inferno1 232629 polecat sanibel grouch hitech hamradio rkfdbfnehf vandam nadin fastlane shlong iddqdidkfa
        ledzeppelin sexyfeet 098123 stacey1 negras roofing lucifer1 ikarus tgbyhn melnik barbaria montego twisted1
        bigal1 jiggle darkwolf acerview silvio treetops bishop1 iwanna pornsite happyme gfccdjhl 114411 veritech
        batterse casey123 yhntgb mailto milli guster q12345678 coronet sleuth fuckmeha armadill kroshka geordie
        lastochka pynchon killall tommy123 sasha1996 godslove hikaru clticic cornbrea vfkmdbyf passmaster 123123123a
        souris nailer diabolo skipjack martin12 hinata mof6681 brookie dogfight johnso karpov 326598 rfvbrflpt travesti
        caballer galaxy1 wotan antoha art123 xakep1234 ricflair pervert1 p00kie ambulanc santosh berserker larry33
        bitch123 a987654321 dogstar angel22 cjcbcrf redhouse toodles gold123 hotspot kennedy1 glock21 chosen1 schneide
        mainman taffy1 3ki42x 4zqauf ranger2 4meonly year2000 121212a kfylsi netzwerk diese picasso1 rerecz 225522
        dastan swimmer1 brooke1 blackbea oneway ruslana dont4get phidelt chrisp gjyxbr xwing kickme shimmy kimmy1
        4815162342lost qwerty5 fcporto jazzbo mierd 252627 basses sr20det 00133 florin howdy1 kryten goshen koufax
        cichlid imhotep andyman wrest666 saveme dutchy anonymou semprini siempre mocha1 forest11 wildroid aspen1 sesam
        kfgekz cbhbec a55555 sigmanu slash1 giggs11 vatech marias candy123 jericho1 kingme 123a123 drakula cdjkjxm
        mercur oneman hoseman plumper ilovehim lancers sergey1 takeshi goodtogo cranberr ghjcnj123 harvick qazxs
        1972chev horsesho freedom3 letmein7 saitek anguss vfvfgfgfz 300000 elektro toonporn 999111999q mamuka q9umoz
        edelweis subwoofer bayside disturbe volition lucky3 12345678z 3mpz4r march1 atlantida strekoza seagrams 090909t
        yy5rbfsc jack1234 sammy12 sampras mark12 eintrach chaucer lllll1 nochance whitepower 197000 lbvekz passer torana
        12345as pallas koolio 12qw34 nokia8800 findout 1thomas mmmmm1 654987 mihaela chinaman superduper donnas ringo1
        jeroen gfdkjdf professo cdtnrf tranmere tanstaaf himera ukflbfnjh 667788 alex32 joschi w123456 okidoki flatline
        papercli super8 doris1 2good4u 4z34l0ts pedigree freeride gsxr1100 wulfgar benjie ferdinan king1 charlie7 djdxbr
        fhntvbq ripcurl 2wsx1qaz kingsx desade sn00py loveboat rottie evgesha 4money dolittle adgjmpt buzzers brett1
        makita 123123qweqwe rusalka sluts1 123456e jameson1 bigbaby 1z2z3z ckjybr love4u fucker69 erhfbyf jeanluc farhad
        fishfood merkin giant1 golf69 rfnfcnhjaf camera1 stromb smoothy 774411 nylon juice1 rfn.irf newyor 123456789t
        marmot star11 jennyff jester1 hisashi kumquat alex777 helicopt merkur dehpye cummin zsmj2v kristjan april12
        englan honeypot badgirls uzumaki keines p12345 guita quake1 duncan1 juicer milkbone hurtme 123456789b
        qq123456789 schwein p3wqaw 54132442 qwertyytrewq andreeva ruffryde punkie abfkrf kristinka anna1987 ooooo1
        335533aa umberto amber123 456123789 456789123 beelch manta peeker 1112131415 3141592654 gipper wrinkle5 katies
        asd123456 james11 78n3s5af michael0 daboss jimmyb hotdog1 david69 852123 blazed sickan eljefe 2n6wvq gobills
        rfhfcm squeaker cabowabo luebri karups test01 melkor angel777 smallvil modano olorin 4rkpkt leslie1 koffie
        shadows1 littleon amiga1 topeka summer20 asterix1 pitstop aloysius k12345 magazin joker69 panocha pass1word
        1233214 ironpony 368ejhih 88keys pizza123 sonali 57np39 quake2 1234567890qw 1020304 sword1 fynjif abcde123
        dfktyjr rockys grendel1 harley12 kokakola super2 azathoth lisa123 shelley1 girlss ibragim seven1 jeff24 1bigdick
        dragan autobot t4nvp7 omega123 900000 hecnfv 889988 nitro1 doggie1 fatjoe 811pahc tommyt savage1 pallino smitty1
        jg3h4hfn jamielee 1qazwsx zx123456 machine1 asdfgh123 guinnes 789520 sharkman jochen legend1 sonic2 extreme1
        dima12 photoman 123459876 nokian95 775533 vaz2109 april10 becks repmvf pooker qwer12345 themaster nabeel
        monkey10 gogetit hockey99 bbbbbbb1 zinedine dolphin2 anelka 1superma winter01 muggsy horny2 669966 kuleshov
        jesusis calavera bullet1 87t5hdf sleepers winkie vespa lightsab carine magister 1spider shitbird salavat becca1
        wc18c2 shirak galactus zaskar barkley1 reshma dogbreat fullsail asasa boeder 12345ta zxcvbnm12 lepton elfquest
        tony123 vkaxcs savatage sevilia1 badkitty munkey pebbles1 diciembr qapmoc gabriel2 1qa2ws3e cbcmrb welldone
        nfyufh kaizen jack11 manisha grommit g12345 maverik chessman heythere mixail jjjjjjj1 sylvia1 fairmont harve
        skully global1 youwish pikachu1 badcat zombie1 49527843 ultra1 redrider offsprin lovebird 153426 stymie aq1sw2
        sorrento 0000001 r3ady41t webster1 95175 adam123 coonass 159487 slut1 gerasim monkey99 slutwife 159963
        1pass1page hobiecat bigtymer all4you maggie2 olamide comcast1 infinit bailee vasileva .ktxrf asdfghjkl1
        12345678912 setter fuckyou7 nnagqx lifesuck draken austi feb2000 cable1 1234qwerasdf hax0red zxcv12 vlad7788
        nosaj lenovo underpar huskies1 lovegirl feynman suerte babaloo alskdjfhg oldsmobi bomber1 redrover pupuce
        methodman phenom cutegirl countyli gretsch godisgood bysunsu hardhat mironova 123qwe456rty rusty123 salut 187211
        555666777 11111z mahesh rjntyjxtr br00klyn dunce1 timebomb bovine makelove littlee shaven rizwan patrick7
        42042042 bobbijo rustem buttmunc dongle tiger69 bluecat blackhol shirin peaces cherub cubase longwood lotus7
        gwju3g bruin pzaiu8 green11 uyxnyd seventee dragon5 tinkerbel bluess bomba fedorova joshua2 bodyshop peluche
        gbpacker shelly1 d1i2m3a4 ghtpbltyn talons sergeevna misato chrisc sexmeup brend olddog davros hazelnut bridget1
        hzze929b readme brethart wild1 ghbdtnbr1 nortel kinger royal1 bucky1 allah1 drakkar emyeuanh gallaghe hardtime
        jocker tanman flavio abcdef123 leviatha squid1 skeet sexse 123456x mom4u4mm lilred djljktq ocean11 cadaver
        baxter1 808state fighton primavera 1andrew moogle limabean goddess1 vitalya blue56 258025 bullride cicci
        1234567d connor1 gsxr11 oliveoil leonard1 legsex gavrik rjnjgtc mexicano 2bad4u goodfellas ornw6d mancheste
        hawkmoon zlzfrh schorsch g9zns4 bashful rossi46 stephie rfhfntkm sellout 123fuck stewar1 solnze 00007 thor5200
        compaq12 didit bigdeal hjlbyf zebulon wpf8eu kamran emanuele 197500 carvin ozlq6qwm 3syqo15hil pennys epvjb6
        asdfghjkl123 198000 nfbcbz jazzer asfnhg66 zoloft albundy aeiou getlaid planet1 gjkbyjxrf alex2000 brianb moveon
        maggie11 eieio vcradq shaggy1 novartis cocoloco dunamis 554uzpad sundrop 1qwertyu alfie feliks briand 123www
        red456 addams fhntv1998 goodhead theway javaman angel01 stratoca lonsdale 15987532 bigpimpin skater1 issue43
        muffie yasmina slowride crm114 sanity729 himmel carolcox bustanut parabola masterlo computador crackhea dynastar
        rockbott doggysty wantsome bigten gaelle juicy1 alaska1 etower sixnine suntan froggies nokia7610 hunter11 njnets
        alicante buttons1 diosesamo elizabeth1 chiron trustnoo amatuers tinytim mechta sammy2 cthulu trs8f7 poonam
        m6cjy69u35 cookie12 blue25 jordans santa1 kalinka mikey123 lebedeva 12345689 kissss queenbee vjybnjh ghostdog
        cuckold bearshare rjcntyrj alinochka ghjcnjrdfibyj aggie1 teens1 3qvqod dauren tonino hpk2qc iqzzt580 bears85
        nascar88 theboy njqcw4 masyanya pn5jvw intranet lollone shadow99 00096462 techie cvtifhbrb redeemed gocanes
        62717315 topman intj3a cobrajet antivirus whyme berserke ikilz083 airedale brandon2 hopkig johanna1 danil8098
        gojira arthu vision1 pendragon milen chrissie vampiro mudder chris22 blowme69 omega7 surfers goterps italy1
        baseba11 diego1 gnatsum birdies semenov joker123 zenit2011 wojtek cab4ma99 watchmen damia forgotte fdm7ed
        strummer freelanc cingular orange77 mcdonalds vjhjpjdf kariya tombston starlet hawaii1 dantheman megabyte
        nbvjirf anjing ybrjkftdbx hotmom kazbek pacific1 sashimi asd12 coorslig yvtte545 kitte elysium klimenko cobblers
        kamehameha only4me redriver triforce sidorov vittoria fredi dank420 m1234567 fallout2 989244342a crazy123
        crapola servus volvos 1scooter griffin1 autopass ownzyou deviant george01 2kgwai boeing74 simhrq hermosa hardcor
        griffy rolex1 hackme cuddles1 master3 bujhtr aaron123 popolo blader 1sexyred gerry1 cronos ffvdj474 yeehaw
        bob1234 carlos2 mike77 buckwheat ramesh acls2h monster2 montess 11qq22ww lazer zx123456789 chimpy masterch
        sargon lochness archana 1234qwert hbxfhl sarahb altoid zxcvbn12 dakot caterham dolomite chazz r29hqq longone
        pericles grand1 sherbert eagle3 pudge irontree synapse boome nogood summer2 pooki gangsta1 mahalkit elenka
        lbhtrnjh dukedog 19922991 hopkins1 evgenia domino1 x123456 manny1 tabbycat drake1 jerico drahcir kelly2 708090a
        facesit 11c645df mac123 boodog kalani hiphop1 critters hellothere tbirds valerka 551scasi love777 paloalto
        mrbrown duke3d killa1 arcturus spider12 dizzy1 smudger goddog 75395 spammy 1357997531 78678 datalife zxcvbn123
        1122112211 london22 23dp4x rxmtkp biggirls ownsu lzbs2twz sharps geryfe 237081a golakers nemesi sasha1995
        pretty1 mittens1 d1lakiss speedrac gfhjkmm sabbat hellrais 159753258 qwertyuiop123 playgirl crippler salma
        strat1 celest hello5 omega5 cheese12 ndeyl5 edward12 soccer3 cheerio davido vfrcbr gjhjctyjr boscoe inessa
        shithole ibill qwepoi 201jedlz asdlkj davidk spawn2 ariel1 michael4 jamie123 romantik micro1 pittsbur canibus
        katja muhtar thomas123 studboy masahiro rebrov patrick8 hotboys sarge1 1hammer nnnnn1 eistee datalore jackdani
        sasha2010 mwq6qlzo cmfnpu klausi cnhjbntkm andrzej ilovejen lindaa hunter123 vvvvv1 novembe hamster1 x35v8l
        lacey1 1silver iluvporn valter herson alexsandr cojones backhoe womens 777angel beatit klingon1 ta8g4w luisito
        benedikt maxwel inspecto zaq12ws wladimir bobbyd peterj asdfg12 hellspawn bitch69 nick1234 golfer23 sony123
        jello1 killie chubby1 kodaira52 yanochka buckfast morris1 roaddogg snakeeye sex1234 mike22 mmouse fucker11
        dantist brittan vfrfhjdf doc123 plokijuh emerald1 batman01 serafim elementa soccer9 footlong cthuttdbx hapkido
        eagle123 getsmart getiton batman2 masons mastiff 098890 cfvfhf james7 azalea sherif saun24865709 123red cnhtrjpf
        martina1 pupper michael5 alan12 shakir devin1 ha8fyp palom mamulya trippy deerhunter happyone monkey77 3mta3
        123456789f crownvic teodor natusik 0137485 vovchik strutter triumph1 cvetok moremone sonnen screwbal akira1
        sexnow pernille independ poopies samapi kbcbxrf master22 swetlana urchin viper2 magica slurpee postit gilgames
        kissarmy clubpenguin limpbizk timber1 celin lilkim fuckhard lonely1 mom123 goodwood extasy sdsadee23 foxglove
        malibog clark1 casey2 shell1 odense balefire dcunited cubbie pierr solei 161718 bowling1 areyukesc batboy
        r123456 1pionee marmelad maynard1 cn42qj cfvehfq heathrow qazxcvbn connecti secret123 newfie xzsawq21 tubitzen
        nikusha enigma1 yfcnz123 1austin michaelc splunge wanger phantom2 jason2 pain4me primetime21 babes1 liberte
        sugarray undergro zonker labatts djhjyf watch1 eagle5 madison2 cntgfirf sasha2 masterca fiction7 slick50 bruins1
        sagitari 12481632 peniss insuranc 2b8riedt 12346789 mrclean ssptx452 tissot q1w2e3r4t5y6u7 avatar1 comet1 spacer
        vbrjkf pass11 wanker1 14vbqk9p noshit money4me sayana fish1234 seaways pipper romeo123 karens wardog ab123456
        gorilla1 andrey123 lifesucks jamesr 4wcqjn bearman glock22 matt11 dflbvrf barbi maine1 dima1997 sunnyboy 6bjvpe
        bangkok1 666666q rafiki letmein0 0raziel0 dalla london99 wildthin patrycja skydog qcactw tmjxn151 yqlgr667
        jimmyd stripclub deadwood 863abgsg horses1 qn632o scatman sonia1 subrosa woland kolya charlie4 moleman j12345
        summer11 angel11 blasen sandal mynewpas retlaw cambria mustang4 nohack04 kimber45 fatdog maiden1 bigload necron
        dupont24 ghost123 turbo2 .ktymrf radagast balzac vsevolod pankaj argentum 2bigtits mamabear bumblebee mercury7
        maddie1 chomper jq24nc snooky pussylic 1lovers taltos warchild diablo66 jojo12 sumerki aventura gagger annelies
        drumset cumshots azimut 123580 clambake bmw540 birthday54 psswrd paganini wildwest filibert teaseme 1test scampi
        thunder5 antosha purple12 supersex hhhhhh1 brujah 111222333a 13579a bvgthfnjh 4506802a killians choco qqqwwweee
        raygun 1grand koetsu13 sharp1 mimi92139 fastfood idontcare bluered chochoz 4z3al0ts target1 sheffiel labrat
        stalingrad 147123 cubfan corvett1 holden1 snapper1 4071505 amadeo pollo desperados lovestory marcopolo mumbles
        familyguy kimchee marcio support1 tekila shygirl1 trekkie submissi ilaria salam loveu wildstar master69 sales1
        netware homer2 arseniy gerrity1 raspberr atreyu stick1 aldric tennis12 matahari alohomora dicanio michae1
        michaeld 666111 luvbug boyscout esmerald mjordan admiral1 steamboa 616913 ybhdfyf 557711 555999 sunray
        apokalipsis theroc bmw330 buzzy chicos lenusik shadowma eagles05 444222 peartree qqq123 sandmann spring1 430799
        phatass andi03 binky1 arsch bamba kenny123 fabolous loser123 poop12 maman phobos tecate myxworld4 metros
        cocorico nokia6120 johnny69 hater spanked 313233 markos love2011 mozart1 viktoriy reccos 331234 hornyone vitesse
        1um83z 55555q proline v12345 skaven alizee bimini fenerbahce 543216 zaqqaz poi123 stabilo brownie1 1qwerty1
        dinesh baggins1 1234567t davidkin friend1 lietuva octopuss spooks 12345qq myshit buttface paradoxx pop123 golfin
        sweet69 rfghbp sambuca kayak1 bogus1 girlz dallas12 millers 123456zx operatio pravda eternal1 chase123 moroni
        proust blueduck harris1 redbarch 996699 1010101 mouche millenni 1123456 score1 1234565 1234576 eae21157 dave12
        pussyy gfif1991 1598741 hoppy darrian snoogins fartface ichbins vfkbyrf rusrap 2741001 fyfrjylf aprils favre
        thisis bannana serval wiggum satsuma matt123 ivan123 gulmira 123zxc123 oscar2 acces annie2 dragon0 emiliano
        allthat pajaro amandine rawiswar sinead tassie karma1 piggys nokias orions origami type40 mondo ferrets monker
        biteme2 gauntlet arkham ascona ingram01 klem1 quicksil bingo123 blue66 plazma onfire shortie spjfet 123963
        thered fire777 lobito vball 1chicken moosehea elefante babe23 jesus12 parallax elfstone number5 shrooms freya
        hacker1 roxette snoops number7 fellini dtlmvf chigger mission1 mitsubis kannan whitedog james01 ghjgecr
        rfnfgekmnf everythi getnaked prettybo sylvan chiller carrera4 cowbo biochem azbuka qwertyuiop1 midnight1
        informat audio1 alfred1 0range sucker1 scott2 russland 1eagle torben djkrjlfd rocky6 maddy1 bonobo portos
        chrissi xjznq5 dexte vdlxuc teardrop pktmxr iamtheone danijela eyphed suzuki1 etvww4 redtail ranger11 mowerman
        asshole2 coolkid adriana1 bootcamp longcut evets npyxr5 bighurt bassman1 stryder giblet nastja blackadd topflite
        wizar cumnow technolo bassboat bullitt kugm7b maksimus wankers mine12 sunfish pimpin1 shearer9 user1 vjzgjxnf
        tycobb 80070633pc stanly vitaly shirley1 cinzia carolyn1 angeliqu teamo qdarcv aa123321 ragdoll bonit ladyluck
        wiggly vitara jetbalance 12345600 ozzman dima12345 mybuddy shilo satan66 erebus warrio 090808qwe stupi bigdan
        paul1234 chiapet brooks1 philly1 dually gowest farmer1 1qa2ws3ed4rf alberto1 beachboy barne aa12345 aliyah
        radman benson1 dfkthbq highball bonou2 i81u812 workit darter redhook csfbr5yy buttlove episode1 ewyuza porthos
        lalal abcd12 papero toosexy keeper1 silver7 jujitsu corset pilot123 simonsay pinggolf katerinka kender drunk1
        fylhjvtlf rashmi nighthawk maggy juggernaut larryb cabibble fyabcf 247365 gangstar jaybee verycool 123456789qw
        forbidde prufrock 12345zxc malaika blackbur docker filipe koshechka gemma1 djamaal dfcbkmtdf gangst 9988aa
        ducks1 pthrfkj puertorico muppets griffins whippet sauber timofey larinso 123456789zxc quicken qsefth liteon
        headcase bigdadd zxc321 maniak jamesc bassmast bigdogs 1girls 123xxx trajan lerochka noggin mtndew 04975756
        domin wer123 fumanchu lambada thankgod june22 kayaking patchy summer10 timepass poiu1234 kondor kakka lament
        zidane10 686xqxfg l8v53x caveman1 nfvthkfy holymoly pepita alex1996 mifune fighter1 asslicker jack22 abc123abc
        zaxxon midnigh winni psalm23 punky monkey22 password13 mymusic justyna annushka lucky5 briann 495rus19 withlove
        almaz supergir miata bingbong bradpitt kamasutr yfgjktjy vanman pegleg amsterdam1 123a321 letmein9 shivan korona
        bmw520 annette1 scotsman gandal welcome12 sc00by qpwoei fred69 m1sf1t hamburg1 1access dfkmrbhbz excalibe
        boobies1 fuckhole karamel starfuck star99 breakfas georgiy ywvxpz smasher fatcat1 allanon 12345n coondog whacko
        avalon1 scythe saab93 timon khorne atlast nemisis brady12 blenheim 52678677 mick7278 9skw5g fleetwoo ruger1
        kissass pussy7 scruff 12345l bigfun vpmfsz yxkck878 evgeny 55667788 lickher foothill alesis poppies 77777778
        californi mannie bartjek qhxbij thehulk xirt2k angelo4ek rfkmrekznjh tinhorse 1david sparky12 night1 luojianhua
        bobble nederland rosemari travi minou ciscokid beehive 565hlgqo alpine1 samsung123 trainman xpress logistic
        vw198m2n hanter zaqwsx123 qwasz mariachi paska kmg365 kaulitz sasha12 north1 polarbear mighty1 makeksa11
        123456781 one4all gladston notoriou polniypizdec110211 gosia grandad xholes timofei invalidp speaker1 zaharov
        maggiema loislane gonoles br5499 discgolf kaskad snooper newman1 belial demigod vicky1 pridurok alex1990 tardis1
        cruzer hornie sacramen babycat burunduk mark69 oakland1 me1234 gmctruck extacy sexdog putang poppen billyd
        1qaz2w loveable gimlet azwebitalia ragtop 198500 qweas mirela rock123 11bravo sprewell tigrenok jaredleto vfhbif
        blue2 rimjob catwalk sigsauer loqse doromich jack01 lasombra jonny5 newpassword profesor garcia1 123as123
        croucher demeter 4_life rfhfvtkm superman2 rogues assword1 russia1 jeff1 mydream z123456789 rascal1 darre
        kimberl pickle1 ztmfcq ponchik lovesporn hikari gsgba368 pornoman chbjun choppy diggity nightwolf viktori camar
        vfhecmrf alisa1 minstrel wishmaster mulder1 aleks gogirl gracelan 8womys highwind solstice dbrnjhjdyf nightman
        pimmel beertje ms6nud wwfwcw fx3tuo poopface asshat dirtyd jiminy luv2fuck ptybnxtvgbjy dragnet pornogra 10inch
        scarlet1 guido1 raintree v123456 1aaaaaaa maxim1935 hotwater gadzooks playaz harri brando1 defcon1 ivanna
        123654a arsenal2 candela nt5d27 jaime1 duke1 burton1 allstar1 dragos newpoint albacore 1236987z verygoodbot
        1wildcat fishy1 ptktysq chris11 puschel itdxtyrj 7kbe9d serpico jazzie 1zzzzz kindbuds wenef45313 1compute
        tatung sardor gfyfcjybr test99 toucan meteora lysander asscrack jowgnx hevnm4 suckthis masha123 karinka marit
        oqglh565 dragon00 vvvbbb cheburashka vfrfrf downlow unforgiven p3e85tr kim123 sillyboy gold1 golfvr6 quicksan
        irochka froglegs shortsto caleb1 tishka bigtitts smurfy bosto dropzone nocode jazzbass digdug green7 saltlake
        therat dmitriev lunita deaddog summer0 1212qq bobbyg mty3rh isaac1 gusher helloman sugarbear corvair extrem
        teatime tujazopi titanik efyreg jo9k2jw2 counchac tivoli utjvtnhbz bebit jacob6 clayton1 incubus1 flash123
        squirter dima2010 cock1 rawks komatsu forty2 98741236 cajun1 madelein mudhoney magomed q111111 qaswed consense
        12345b bakayaro silencer zoinks bigdic werwolf pinkpuss 96321478 alfie1 ali123 sarit minette musics chato
        iaapptfcor cobaka strumpf datnigga sonic123 yfnecbr vjzctvmz pasta1 tribbles crasher htlbcrf 1tiger shock123
        bearshar syphon a654321 cubbies1 jlhanes eyespy fucktheworld carrie1 bmw325is suzuk mander dorina mithril hondo1
        vfhnbyb sachem newton1 12345x 7777755102q 230857z xxxsex scubapro hayastan spankit delasoul searock6 fallout3
        nilrem 24681357 pashka voluntee pharoh willo india1 badboy69 roflmao gunslinger lovergir mama12 melange 640xwfkv
        chaton darkknig bigman1 aabbccdd harleyd birdhouse giggsy hiawatha tiberium joker7 hello1234 sloopy tm371855
        greendog solar1 bignose djohn11 espanol oswego iridium kavitha pavell mirjam cyjdsvujljv alpha5 deluge hamme
        luntik turismo stasya kjkbnf caeser schnecke tweety1 tralfaz lambrett prodigy1 trstno1 pimpshit werty1 karman
        bigboob pastel blackmen matthew8 moomin q1w2e gilly primaver jimmyg house2 elviss 15975321 1jessica monaliza
        salt55 vfylfhbyrf harley11 tickleme murder1 nurgle kickass1 theresa1 fordtruck pargolf managua inkognito sherry1
        gotit friedric metro2033 slk230 freeport cigarett 492529 vfhctkm thebeach twocats bakugan yzerman1 charlieb
        motoko skiman 1234567w pussy3 love77 asenna buffie 260zntpc kinkos access20 mallard1 fuckyou69 monami rrrrr1
        bigdog69 mikola 1boomer godzila ginger2 dima2000 skorpion39 dima1234 hawkdog79 warrior2 ltleirf supra1 jerusale
        monkey01 333z333 666888 kelsey1 w8gkz2x1 fdfnfh msnxbi qwe123rty mach1 monkey3 123456789qq c123456 nezabudka
        barclays nisse dasha1 12345678987654321 dima1993 oldspice frank2 rabbitt prettyboy ov3ajy iamthema kawasak
        banjo1 gtivr6 collants gondor hibees cowboys2 codfish buster2 purzel rubyred kayaker bikerboy qguvyt masher
        sseexx kenshiro moonglow semenova rosari eduard1 deltaforce grouper bongo1 tempgod 1taylor goldsink qazxsw1
        1jesus m69fg2w maximili marysia husker1 kokanee sideout googl south1 plumber1 trillian 00001 1357900 farkle
        1xxxxx pascha emanuela bagheera hound1 mylov newjersey swampfox sakic19 torey geforce wu4etd conrail pigman
        martin2 ber02 nascar2 angel69 barty kitsune cornet yes90125 goomba daking anthea sivart weather1 ndaswf
        scoubidou masterchief rectum 3364068 oranges1 copter 1samanth eddies mimoza ahfywbz celtic88 86mets applemac
        amanda11 taliesin 1angel imhere london11 bandit12 killer666 beer1 06225930 psylocke james69 schumach 24pnz6kc
        endymion wookie1 poiu123 birdland smoochie lastone rclaki olive1 pirat thunder7 chris69 rocko 151617 djg4bb4b
        lapper ajcuivd289 colole57 shadow7 dallas21 ajtdmw executiv dickies omegaman jason12 newhaven aaaaaas pmdmscts
        s456123789 beatri applesauce levelone strapon benladen creaven ttttt1 saab95 f123456 pitbul 54321a sex12345
        robert3 atilla mevefalkcakk 1johnny veedub lilleke nitsuj 5t6y7u8i teddys bluefox nascar20 vwjetta buffy123
        playstation3 loverr qweasd12 lover2 telekom benjamin1 alemania neutrino rockz valjean testicle trinity3 realty
        firestarter 794613852 ardvark guadalup philmont arnold1 holas zw6syj birthday299 dover1 sexxy1 gojets 741236985
        cance blue77 xzibit qwerty88 komarova qweszxc footer rainger silverst ghjcnb catmando tatooine 31217221027711
        amalgam 69dude qwerty321 roscoe1 74185 cubby alfa147 perry1 darock katmandu darknight knicks1 freestuff 45454
        kidman 4tlved axlrose cutie1 quantum1 joseph10 ichigo pentium3 rfhectkm rowdy1 woodsink justforfun sveta123
        pornografia mrbean bigpig tujheirf delta9 portsmou hotbod kartal 10111213 fkbyf001 pavel1 pistons1 necromancer
        verga c7lrwu doober thegame1 hatesyou sexisfun 1melissa tuczno18 bowhunte gobama scorch campeon bruce2 fudge1
        herpderp bacon1 redsky blackeye 19966991 19992000 ripken8 masturba 34524815 primax paulina1 vp6y38 427cobra
        4dwvjj dracon fkg7h4f3v6 longview arakis panama1 honda2 lkjhgfdsaz razors steels fqkw5m dionysus mariajos soroka
        enriqu nissa barolo king1234 hshfd4n279 holland1 flyer1 tbones 343104ky modems tk421 ybrbnrf pikapp sureshot
        wooddoor florida2 mrbungle vecmrf catsdogs axolotl nowayout francoi chris21 toenail hartland asdjkl nikkii
        onlyyou buckskin fnord flutie holen1 rincewind lefty1 ducky1 199000 fvthbrf redskin1 ryno23 lostlove 19mtpgam19
        abercrom benhur jordan11 roflcopter ranma phillesh avondale igromania p4ssword jenny123 tttttt1 spycams cardigan
        2112yyz sleepy1 paris123 mopars lakers34 hustler1 james99 matrix3 popimp 12pack eggbert medvedev testit performa
        logitec marija sexybeast supermanboy iwantit rjktcj jeffer svarog halo123 whdbtp nokia3230 heyjoe marilyn1
        speeder ibxnsm prostock bennyboy charmin codydog parol999 ford9402 jimmer crayola 159357258 alex77 joey1 cayuga
        phish420 poligon specops tarasova caramelo draconis dimon cyzkhw june29 getbent 1guitar jimjam dictiona shammy
        flotsam 0okm9ijn crapper technic fwsadn rhfdxtyrj zaq11qaz anfield1 159753q curious1 hip-hop 1iiiii gfhjkm2
        cocteau liveevil friskie crackhead b1afra elektrik lancer1 b0ll0cks jasond z1234567 tempest1 alakazam asdfasd
        duffy1 oneday dinkle qazedctgb kasimir happy7 salama hondaciv nadezda andretti cannondale sparticu znbvjd
        blueice money01 finster eldar moosie pappa delta123 neruda bmw330ci jeanpaul malibu1 alevtina sobeit travolta
        fullmetal enamorad mausi boston12 greggy smurf1 ratrace ichiban ilovepus davidg wolf69 villa1 cocopuff
        football12 starfury zxc12345 forfree fairfiel dreams1 tayson mike2 dogday hej123 oldtimer sanpedro clicker
        mollycat roadstar golfe lvbnhbq1 topdevice a1b2c sevastopol calli milosc fire911 pink123 team3x nolimit5
        snickers1 annies 09877890 jewel1 steve69 justin11 autechre killerbe browncow slava1 christer fantomen redcloud
        elenberg beautiful1 passw0rd1 nazira advantag cockring chaka rjpzdrf 99941 az123456 biohazar energie bubble1
        bmw323 tellme printer1 glavine 1starwar coolbeans april17 carly1 quagmire admin2 djkujuhfl pontoon texmex
        carlos12 thermo vaz2106 nougat bob666 1hockey 1john cricke qwerty10 twinz totalwar underwoo tijger lildevil
        123q321 germania freddd 1scott beefy 5t4r3e2w1q fishbait nobby hogger dnstuff jimmyc redknapp flame1 tinfloor
        balla nfnfhby yukon1 vixens batata danny123 1zxcvbnm gaetan homewood greats tester1 green99 1fucker sc0tland
        starss glori arnhem goatman 1234asd supertra bill123 elguapo sexylegs jackryan usmc69 innow roaddog alukard
        winter11 crawler gogiants rvd420 alessandr homegrow gobbler esteba valeriy happy12 1joshua hawking sicnarf
        waynes iamhappy bayadera august2 sashas gotti dragonfire pencil1 halogen borisov bassingw
        """
}
